// Reads the packets that view/packet.py writes: a JSON head, then compressed arrays.
"use strict";
(function (haptos) {
  const MAGIC = "HAPTOS1\n";
  const NO_NUMBER = 65535;

  async function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Bytes come sorted by significance; whole numbers as differences along the first axis.
  function numbersOf(bytes, type, shape) {
    const width = Number(type.slice(1));
    const count = bytes.length / width;
    if (type === "u2" || type === "u4") {
      const out = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
      const row = count / Math.max(shape[0], 1);
      for (let i = 0; i < count; i++) {
        let value = bytes[i] + 256 * bytes[count + i];
        if (width === 4) value += 65536 * (bytes[2 * count + i] + 256 * bytes[3 * count + i]);
        out[i] = i < row ? value : value + out[i - row]; // wraps round as it was written
      }
      return out;
    }
    const plain = new Uint8Array(bytes.length);
    for (let k = 0; k < width; k++) {
      for (let i = 0; i < count; i++) plain[i * width + k] = bytes[k * count + i];
    }
    return width === 4 ? new Float32Array(plain.buffer) : new Float64Array(plain.buffer);
  }

  // One array as it was stored; values are made when asked for.
  class Stored {
    constructor(spec, numbers) {
      this.shape = spec.shape;
      this.numbers = numbers;
      this.low = spec.low;
      this.step = spec.step;
      this.isCoarse = spec.type === "u2";
      this.count = numbers.length;
    }
    value(i) {
      const k = this.low.length === 1 ? 0 : i % this.low.length;
      const number = this.numbers[i];
      return this.isCoarse && number === NO_NUMBER ? NaN : this.low[k] + this.step[k] * number;
    }
    // Values from `first` on, written into `out`; a mix of two rows where `second` is given.
    fill(out, first, second = first, share = 0) {
      const { numbers, low, step } = this;
      const none = this.isCoarse ? NO_NUMBER : NaN; // NaN equals nothing
      const width = low.length;
      for (let k = 0; k < width; k++) { // a component at a time: the quickest way round
        const a = low[k], b = step[k];
        for (let i = k; i < out.length; i += width) {
          const number = numbers[first + i], next = numbers[second + i];
          out[i] = number === none || next === none ? NaN : a + b * (number + share * (next - number));
        }
      }
      return out;
    }
    floats() {
      return this.fill(new Float32Array(this.count), 0);
    }
    doubles() {
      return this.fill(new Float64Array(this.count), 0);
    }
  }

  class Packet {
    constructor(buffer) {
      const bytes = new Uint8Array(buffer);
      const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
      if (magic !== MAGIC) throw new Error("this is not a packet of haptos");
      const at = MAGIC.length;
      const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
      const text = new TextDecoder().decode(bytes.subarray(at + 4, at + 4 + size));
      this.head = JSON.parse(text);
      this.body = bytes.subarray(at + 4 + size);
      this.known = new Map();
    }
    array(spec) {
      if (!this.known.has(spec.at)) {
        const part = this.body.subarray(spec.at, spec.at + spec.bytes);
        this.known.set(spec.at, inflated(part).then(
          (bytes) => new Stored(spec, numbersOf(bytes, spec.type, spec.shape))));
      }
      return this.known.get(spec.at);
    }
  }

  function bytesFromBase64(text) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const plain = atob(text);
    const bytes = new Uint8Array(plain.length);
    for (let i = 0; i < plain.length; i++) bytes[i] = plain.charCodeAt(i);
    return bytes;
  }

  haptos.Packet = Packet;
  haptos.bytesFromBase64 = bytesFromBase64;
})(window.haptos = window.haptos || {});
