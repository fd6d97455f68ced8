// Lines of a width in pixels, and round dots: the two things WebGL does not draw by itself.
"use strict";
(function (haptos) {
  const MOST_WIDE = 60000; // segments; more are drawn as lines of one pixel, which cost less

  const FADE = `
    uniform float now;
    varying vec3 vColour;
    varying float vTime;
    void main() {
      gl_FragColor = vec4(vColour, vTime > now ? 0.16 : 1.0);
    }`;

  const WIDE = `
    attribute vec3 first, second, firstColour, secondColour;
    attribute float firstTime, secondTime;
    uniform vec2 pixels;
    uniform float width;
    varying vec3 vColour;
    varying float vTime;
    void main() {
      vec4 a = modelViewMatrix * vec4(first, 1.0);
      vec4 b = modelViewMatrix * vec4(second, 1.0);
      a.xyz *= 0.9985; // a little nearer, so that ground beneath does not hide it
      b.xyz *= 0.9985;
      float near = 1.001 * projectionMatrix[3][2] / (projectionMatrix[2][2] - 1.0);
      if (a.z > -near && b.z < -near) a = mix(a, b, (a.z + near) / (a.z - b.z));
      else if (b.z > -near && a.z < -near) b = mix(b, a, (b.z + near) / (b.z - a.z));
      vec4 start = projectionMatrix * a;
      vec4 end = projectionMatrix * b;
      vec2 way = (end.xy / end.w - start.xy / start.w) * pixels;
      way = length(way) > 0.0 ? normalize(way) : vec2(1.0, 0.0);
      vec4 place = mix(start, end, position.x);
      place.xy += vec2(-way.y, way.x) * position.y * width / pixels * place.w;
      gl_Position = place;
      vColour = mix(firstColour, secondColour, position.x);
      vTime = mix(firstTime, secondTime, position.x);
    }`;

  const THIN = `
    attribute vec3 tint;
    attribute float seen;
    varying vec3 vColour;
    varying float vTime;
    void main() {
      vec4 place = modelViewMatrix * vec4(position, 1.0);
      gl_Position = projectionMatrix * vec4(0.9985 * place.xyz, 1.0);
      vColour = tint;
      vTime = seen;
    }`;

  const DOT = `
    attribute vec3 tint;
    uniform float size;
    varying vec3 vColour;
    void main() {
      vec4 place = modelViewMatrix * vec4(position, 1.0);
      gl_Position = projectionMatrix * vec4(0.997 * place.xyz, 1.0);
      gl_PointSize = size;
      vColour = tint;
    }`;

  const DISC = `
    uniform vec3 rim;
    uniform float edge;
    varying vec3 vColour;
    void main() {
      float r = length(gl_PointCoord - 0.5);
      if (r > 0.5) discard;
      gl_FragColor = vec4(r > edge ? rim : vColour, 1.0);
    }`;

  // Segments between positions; both kinds answer update(positions, colours) and setNow(time).
  class Segments {
    constructor(segments, times, width, ratio) {
      this.segments = segments;
      this.count = segments.length / 2;
      this.isWide = this.count <= MOST_WIDE;
      const uniforms = {
        now: { value: times ? 0 : 1 },
        pixels: { value: new THREE.Vector2(1, 1) },
        width: { value: width * ratio },
      };
      this.material = new THREE.ShaderMaterial({
        uniforms, vertexShader: this.isWide ? WIDE : THIN, fragmentShader: FADE,
        transparent: true, depthWrite: !times, side: THREE.DoubleSide,
      });
      if (this.isWide) this.buildWide(times);
      else this.buildThin(times);
      this.object.frustumCulled = false;
    }
    buildWide(times) {
      const geometry = new THREE.InstancedBufferGeometry();
      const corners = new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]);
      geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
      geometry.setIndex([0, 1, 2, 0, 2, 3]);
      const add = (name, size) => {
        const part = new THREE.InstancedBufferAttribute(new Float32Array(this.count * size), size);
        geometry.setAttribute(name, part);
        return part;
      };
      this.parts = {
        places: [add("first", 3), add("second", 3)],
        colours: [add("firstColour", 3), add("secondColour", 3)],
        times: [add("firstTime", 1), add("secondTime", 1)],
      };
      if (times) this.spread("times", times, 1);
      geometry.instanceCount = this.count;
      this.object = new THREE.Mesh(geometry, this.material);
    }
    spread(name, values, size) {
      this.parts[name].forEach((part, end) => {
        const { segments } = this;
        const out = part.array;
        for (let n = 0, i = 0; n < this.count; n++) {
          const from = segments[2 * n + end] * size;
          for (let k = 0; k < size; k++) out[i++] = values[from + k];
        }
        part.needsUpdate = true;
      });
    }
    buildThin(times) {
      const geometry = new THREE.BufferGeometry();
      geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(this.segments), 1));
      if (times) geometry.setAttribute("seen", new THREE.BufferAttribute(Float32Array.from(times), 1));
      this.hasTimes = Boolean(times);
      this.object = new THREE.LineSegments(geometry, this.material);
    }
    update(positions, colours) {
      if (this.isWide) {
        if (positions) this.spread("places", positions, 3);
        if (colours) this.spread("colours", colours, 3);
        return;
      }
      const geometry = this.object.geometry;
      if (positions) haptos.setAttribute(geometry, "position", positions, 3);
      if (colours) haptos.setAttribute(geometry, "tint", colours, 3);
      if (!this.hasTimes) {
        haptos.setAttribute(geometry, "seen", new Float32Array(positions.length / 3), 1);
        this.hasTimes = true;
      }
    }
    setNow(time) {
      this.material.uniforms.now.value = time;
    }
    setPixels(width, height) {
      this.material.uniforms.pixels.value.set(width, height);
    }
  }

  class Dots {
    constructor(size, ratio) {
      this.material = new THREE.ShaderMaterial({
        uniforms: {
          size: { value: size * ratio }, rim: { value: new THREE.Color() },
          edge: { value: size > 6 ? 0.38 : 0.46 },
        },
        vertexShader: DOT, fragmentShader: DISC,
      });
      this.object = new THREE.Points(new THREE.BufferGeometry(), this.material);
      this.object.frustumCulled = false;
    }
    update(positions, colours) {
      if (positions) haptos.setAttribute(this.object.geometry, "position", positions, 3);
      if (colours) haptos.setAttribute(this.object.geometry, "tint", colours, 3);
    }
  }

  // New values in the attribute there is, or a new one of that size.
  haptos.setAttribute = function (geometry, name, values, size) {
    const held = geometry.getAttribute(name);
    if (held && held.array.length === values.length) {
      if (held.array !== values) held.array.set(values);
      held.needsUpdate = true;
      return;
    }
    const made = new THREE.BufferAttribute(Float32Array.from(values), size);
    made.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute(name, made);
  };
  haptos.Segments = Segments;
  haptos.Dots = Dots;
})(window.haptos = window.haptos || {});
