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
    this.worker = new Worker(address);
    this.worker.onmessage = ({ data }) => this.receive(data);
    this.worker.onerror = (event) => this.fail(event.message);
    this.worker.postMessage({ module: this.module });
    this.address = address;
  }

  receive(message) {
    if (message.ready) {
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

  /// A panic leaves the engine unusable: start it afresh.
  fail(why) {
    this.worker.terminate();
    this.listener = null;
    this.id += 1;
    this.start();
    this.onFailure(why);
  }

  run(job, listener) {
    this.id += 1;
    this.listener = listener;
    this.worker.postMessage({ id: this.id, job });
  }

  stop() {
    this.id += 1;
    this.listener = null;
    this.worker.postMessage({ id: this.id });
  }

  get busy() {
    return this.listener !== null;
  }
}

export async function loadEngine(onFailure) {
  const module = await compile();
  return { call: await instantiate(module), worker: new SearchWorker(module, onFailure) };
}
