// The engine of the page: one instance for rules, which answers at once, and one in a worker, which searches.
import { instantiate } from "./wasm.js";

/// The bytes of the engine that the page carries, unpacked and compiled.
async function compile() {
  const packed = document.getElementById("engine");
  const response = await fetch(`data:application/octet-stream;base64,${packed.textContent.trim()}`);
  // Megabytes that nobody needs any more.
  packed.remove();
  const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/// The worker with the engine. Does one job at a time; a new one ends the one before.
class SearchWorker {
  constructor(module, onFailure) {
    this.module = module;
    this.onFailure = onFailure;
    this.id = 0;
    this.listener = null;
    this.start();
  }

  start() {
    // From a Blob: a page on disk may not load a worker from another file.
    const source = new Blob([document.getElementById("worker").textContent], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    const worker = new Worker(address);
    // What a worker said before it was ended may come later.
    const ifCurrent = (run) => { if (worker === this.worker) run(); };
    worker.onmessage = ({ data }) => ifCurrent(() => this.receive(data));
    worker.onerror = (event) => ifCurrent(() => this.fail(event.message));
    worker.postMessage({ module: this.module });
    Object.assign(this, { worker, address, isReady: false });
  }

  receive(message) {
    if (message.ready) {
      this.isReady = true;
      URL.revokeObjectURL(this.address);
    } else if (message.error) {
      this.fail(message.error);
    } else if (message.id === this.id) {
      const { listener } = this;
      // It may begin the next job.
      if (message.done) this.listener = null;
      listener?.(message);
    }
  }

  /// A panic leaves the engine unusable: start it afresh. One that cannot start is tried again with the next job only.
  fail(why) {
    const isRestarted = this.isReady;
    this.worker.terminate();
    this.worker = null;
    this.listener = null;
    this.id += 1;
    if (isRestarted) this.start();
    this.onFailure(why, isRestarted);
  }

  run(job, listener) {
    if (!this.worker) this.start();
    this.id += 1;
    this.listener = listener;
    this.worker.postMessage({ id: this.id, job });
  }

  stop() {
    this.id += 1;
    this.listener = null;
    this.worker?.postMessage({ id: this.id });
  }

  get busy() {
    return this.listener !== null;
  }
}

export async function loadEngine(onFailure) {
  const module = await compile();
  return { call: await instantiate(module), worker: new SearchWorker(module, onFailure) };
}
