// Things of a scene as objects of three.js: surfaces, points, lines, arrows; each follows the time.
"use strict";
(function (haptos) {
  const UP = [0, 1, 0];

  // Row before a time and the share of the way to the next one.
  function between(times, time) {
    let low = 0;
    let high = times.length - 1;
    if (time >= times[high]) return [high, high, 0];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    const span = times[high] - times[low];
    return [low, high, span > 0 ? Math.max(0, (time - times[low]) / span) : 0];
  }

  // Numbers at rest or in motion: `at(time)` gives one row of floats, and whether it is a new one.
  class Changing {
    static async read(packet, spec, times, dimensions) {
      const made = new Changing();
      made.stored = await packet.array(spec);
      made.isMoving = spec.shape.length === dimensions && Boolean(spec.frames);
      made.size = made.stored.count / (made.isMoving ? spec.shape[0] : 1);
      if (made.isMoving) {
        const kept = await packet.array(spec.frames);
        made.times = Float64Array.from(kept.numbers, (frame) => times[frame]);
      }
      made.row = new Float32Array(made.size);
      made.last = null;
      return made;
    }
    at(time) {
      const [low, high, share] = this.isMoving ? between(this.times, time) : [0, 0, 0];
      const key = low + share;
      if (key === this.last) return false;
      this.last = key;
      this.stored.fill(this.row, low * this.size, high * this.size, share);
      return true;
    }
  }

  function coloured(values, range, palette, out, plain) {
    const span = range[1] - range[0];
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (Number.isNaN(value)) {
        out.set(plain, 3 * i);
        continue;
      }
      const share = span > 0 ? Math.min(Math.max((value - range[0]) / span, 0), 1) : 0.5;
      const at = 3 * Math.round(share * 255);
      out[3 * i] = palette[at] / 255;
      out[3 * i + 1] = palette[at + 1] / 255;
      out[3 * i + 2] = palette[at + 2] / 255;
    }
    return out;
  }

  // What all items share: a place in a frame, positions and colours that may change with time.
  class Item {
    constructor(spec) {
      this.spec = spec;
      this.label = spec.label;
      this.maps = [];
      this.map = null;
      this.shown = spec.shown;
    }
    async read(packet, times, shared) {
      this.palette = shared.palette;
      this.positions = await Changing.read(packet, this.spec.positions, times, 3);
      for (const map of this.spec.maps) {
        const values = await Changing.read(packet, map.values, times, 2);
        this.maps.push({ name: map.name, unit: map.unit, range: map.range, values });
      }
      this.count = this.positions.size / 3;
      this.colours = new Float32Array(3 * this.count);
      this.build(await this.more(packet), shared);
      this.object.visible = this.shown;
    }
    async more() {
      return null;
    }
    paint(theme) {
      this.plain = new THREE.Color(theme.things[this.spec.colour] || theme.things.other).toArray();
      this.theme = theme;
      this.isDirty = true;
    }
    setMap(name, range) {
      const found = this.maps.find((map) => map.name === name) || null;
      this.map = found && { ...found, range };
      if (found) found.values.last = null;
      this.isDirty = true;
    }
    // Colours now: null if they are as before.
    coloursAt(time) {
      if (!this.map) {
        if (!this.isDirty) return null;
        for (let i = 0; i < this.count; i++) this.colours.set(this.plain, 3 * i);
        return this.colours;
      }
      const changed = this.map.values.at(time);
      if (!changed && !this.isDirty) return null;
      return coloured(this.map.values.row, this.map.range, this.palette, this.colours, this.plain);
    }
    setTime(time) {
      if (!this.shown) return;
      const moved = this.positions.at(time);
      const colours = this.coloursAt(time);
      this.isDirty = false;
      this.update(moved ? this.positions.row : null, colours, time);
    }
    setPixels() {}
  }

  class Surface extends Item {
    async more(packet) {
      return (await packet.array(this.spec.faces)).numbers;
    }
    build(faces) {
      const isFlat = this.spec.flat || this.positions.isMoving;
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(faces), 1));
      const material = new THREE.MeshPhongMaterial({
        vertexColors: true, flatShading: isFlat, shininess: 8, specular: 0x111111,
        side: THREE.DoubleSide, polygonOffset: this.spec.colour === "ground",
        polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      });
      if (this.spec.hole) material.onBeforeCompile = (shader) => cutHole(shader, this.spec.hole);
      this.isFlat = isFlat;
      this.object = new THREE.Mesh(geometry, material);
      this.object.frustumCulled = false;
    }
    update(positions, colours) {
      const geometry = this.object.geometry;
      if (positions) {
        haptos.setAttribute(geometry, "position", positions, 3);
        if (!this.isFlat) geometry.computeVertexNormals();
      }
      if (colours) haptos.setAttribute(geometry, "color", colours, 3);
    }
  }

  function cutHole(shader, hole) {
    shader.uniforms.hole = { value: new THREE.Vector4(...hole) };
    shader.vertexShader = "varying vec3 vPlace;\n" + shader.vertexShader.replace(
      "#include <begin_vertex>", "#include <begin_vertex>\n  vPlace = position;");
    shader.fragmentShader = "varying vec3 vPlace;\nuniform vec4 hole;\n" +
      shader.fragmentShader.replace(
        "void main() {", "void main() {\n  if (distance(vPlace, hole.xyz) < hole.w) discard;");
  }

  class Points extends Item {
    build(_, shared) {
      this.dots = new haptos.Dots(this.spec.size, shared.ratio);
      this.object = this.dots.object;
    }
    paint(theme) {
      super.paint(theme);
      this.dots.material.uniforms.rim.value.set(theme.sky);
    }
    update(positions, colours) {
      this.dots.update(positions, colours);
    }
  }

  class Lines extends Item {
    async more(packet) {
      const times = this.spec.times ? (await packet.array(this.spec.times)).doubles() : null;
      return { segments: (await packet.array(this.spec.segments)).numbers, times };
    }
    build(more, shared) {
      const isFine = this.spec.colour === "other" || more.segments.length > 8000;
      const width = isFine ? 1.1 : 1.8; // below one pixel a line has gaps
      this.lines = new haptos.Segments(more.segments, more.times, width, shared.ratio);
      this.hasTimes = Boolean(more.times);
      this.object = this.lines.object;
    }
    update(positions, colours, time) {
      if (positions || colours) this.lines.update(positions, colours);
      if (this.hasTimes) this.lines.setNow(time);
    }
    setPixels(width, height) {
      this.lines.setPixels(width, height);
    }
  }

  class Arrows extends Item {
    async read(packet, times) {
      this.origins = await Changing.read(packet, this.spec.origins, times, 3);
      this.vectors = await Changing.read(packet, this.spec.vectors, times, 3);
      this.windows = this.spec.windows ? (await packet.array(this.spec.windows)).doubles() : null;
      this.count = this.vectors.size / 3;
      this.largest = this.longest();
      const length = this.spec.length;
      const shaft = new THREE.CylinderGeometry(0.018 * length, 0.018 * length, 1, 10);
      shaft.translate(0, 0.5, 0);
      const head = new THREE.ConeGeometry(0.055 * length, 0.16 * length, 16);
      head.translate(0, -0.08 * length, 0);
      this.material = new THREE.MeshPhongMaterial({ shininess: 5 });
      this.parts = [shaft, head].map(
        (geometry) => new THREE.InstancedMesh(geometry, this.material, this.count));
      this.object = new THREE.Group();
      for (const part of this.parts) {
        part.frustumCulled = false;
        this.object.add(part);
      }
      this.object.visible = this.shown;
    }
    longest() {
      const all = this.vectors.stored;
      let largest = 0;
      for (let i = 0; i < all.count; i += 3) {
        const size = Math.hypot(all.value(i), all.value(i + 1), all.value(i + 2));
        if (size > largest) largest = size;
      }
      return largest || 1;
    }
    paint(theme) {
      this.material.color.set(theme.things[this.spec.colour] || theme.things.other);
    }
    setMap() {}
    setTime(time) {
      if (!this.shown) return;
      this.origins.at(time);
      this.vectors.at(time);
      let seen = 0;
      for (let n = 0; n < this.count; n++) {
        const w = this.windows;
        if (w && (time < w[2 * n] || time > w[2 * n + 1])) continue;
        if (this.place(n, seen)) seen += 1;
      }
      for (const part of this.parts) {
        part.count = seen;
        part.instanceMatrix.needsUpdate = true;
      }
    }
    place(n, seen) {
      const vector = new THREE.Vector3().fromArray(this.vectors.row, 3 * n);
      const size = vector.length();
      const length = (size / this.largest) * this.spec.length;
      if (!(length > 1e-3 * this.spec.length)) return false; // nothing, or no number
      const from = new THREE.Vector3().fromArray(this.origins.row, 3 * n);
      const way = vector.divideScalar(size);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(...UP), way);
      const headShare = Math.min(1, length / (0.3 * this.spec.length));
      const shaft = Math.max(length - 0.16 * headShare * this.spec.length, 1e-6 * length);
      const tip = from.clone().addScaledVector(way, length);
      const matrix = new THREE.Matrix4();
      matrix.compose(from, turn, new THREE.Vector3(headShare, shaft, headShare));
      this.parts[0].setMatrixAt(seen, matrix);
      matrix.compose(tip, turn, new THREE.Vector3(headShare, headShare, headShare));
      this.parts[1].setMatrixAt(seen, matrix);
      return true;
    }
  }

  const KINDS = { surface: Surface, points: Points, lines: Lines, arrows: Arrows };
  haptos.itemOf = (spec) => new KINDS[spec.kind](spec);
  haptos.between = between;
})(window.haptos = window.haptos || {});
