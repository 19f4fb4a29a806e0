// The engine as WebAssembly: JSON requests in, JSON replies out (see web/src/lib.rs).

/// Whether a search can pause without losing its place.
export const CAN_PAUSE = "Suspending" in WebAssembly;

/// An instance of the compiled engine, as a function from requests to replies.
///
/// `report` gets the iterations of a search while it runs. With `pause`, an async function that tells whether a search shall
/// stop, replies come as promises, where the browser can do that.
export async function instantiate(module, { report = () => {}, pause = null } = {}) {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let lastWords = "";
  const text = (at, length) => decoder.decode(new Uint8Array(exports.memory.buffer, at, length));
  const pauses = CAN_PAUSE && pause !== null;
  const host = {
    now: () => performance.now(),
    report: (at, length) => report(JSON.parse(text(at, length))),
    fail: (at, length) => { lastWords = text(at, length); },
    pause: pauses ? new WebAssembly.Suspending(pause) : () => 0,
  };
  const { exports } = await WebAssembly.instantiate(module, { host });
  const handle = pauses ? WebAssembly.promising(exports.handle_request) : exports.handle_request;
  const fault = (error) => { throw new Error(lastWords || String(error)); };

  function reply(length) {
    const value = JSON.parse(text(exports.reply_buffer(), length));
    if (value?.fault) throw new Error(value.fault);
    return value;
  }

  return function call(request) {
    const bytes = encoder.encode(JSON.stringify(request));
    // The memory may move when the engine allocates: take its buffer after each call.
    const at = exports.request_buffer(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    if (pauses) return handle().then(reply, fault);
    let length;
    try {
      length = handle();
    } catch (error) {
      fault(error);
    }
    return reply(length);
  };
}
