// The stage: a scene in three dimensions at one instant, and the marks drawn over it.
"use strict";
(function (haptos) {
  const WORLD = "world";
  const ANGLE = 45; // [deg] of view

  class Stage {
    constructor(box, changed) {
      this.box = box;
      this.canvas = box.appendChild(document.createElement("canvas"));
      this.marks = box.appendChild(document.createElement("canvas"));
      this.marks.className = "marks";
      this.ratio = Math.min(window.devicePixelRatio || 1, 2);
      const antialias = !isSlow(); // smooth edges cost four times the work
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias });
      this.renderer.setPixelRatio(this.ratio);
      this.world = new THREE.Scene();
      this.camera = new THREE.PerspectiveCamera(ANGLE, 1, 0.1, 100);
      this.sun = new THREE.DirectionalLight(0xffffff, 0.62);
      this.world.add(new THREE.HemisphereLight(0xffffff, 0x9a9590, 0.55), this.sun);
      this.world.add(this.camera);
      this.orbit = new haptos.Orbit(this.marks, changed);
      this.items = [];
      this.legends = [];
    }
    async load(scene, packet, palette) {
      this.scene = scene;
      this.times = (await packet.array(scene.time)).doubles();
      const root = new THREE.Group();
      const frames = new Map([[WORLD, { group: root }]]);
      for (const spec of scene.frames) {
        const group = new THREE.Group();
        frames.get(spec.parent).group.add(group);
        const position = await packet.array(spec.position);
        const quaternion = await packet.array(spec.quaternion);
        frames.set(spec.name, { group, position, quaternion });
      }
      const items = scene.items.map(haptos.itemOf);
      for (const item of items) {
        await item.read(packet, this.times, { palette, ratio: this.ratio });
        frames.get(item.spec.frame).group.add(item.object);
      }
      this.clear();
      Object.assign(this, { root, frames, items, palette });
      this.world.add(root);
      this.repaint();
      this.resize();
      this.look(scene.cameras[0]);
      this.reach = this.extent();
      this.setTime(this.times[0]);
    }
    clear() {
      if (!this.root) return;
      this.world.remove(this.root);
      this.root.traverse((object) => {
        if (object.geometry) object.geometry.dispose();
        if (object.material) object.material.dispose();
      });
    }
    extent() {
      let reach = 0;
      for (const item of this.items) {
        const stored = (item.positions || item.origins).stored;
        for (let i = 0; i < stored.count; i += 3) {
          const size = Math.hypot(stored.value(i), stored.value(i + 1), stored.value(i + 2));
          if (size > reach) reach = size;
        }
      }
      return reach;
    }
    look(camera) {
      this.orbit.use(camera);
    }
    repaint() {
      this.theme = haptos.theme(this.box);
      this.renderer.setClearColor(this.theme.sky, 1);
      for (const item of this.items) item.paint(this.theme);
    }
    resize() {
      const { clientWidth: width, clientHeight: height } = this.box;
      if (!width || !height) return;
      this.renderer.setSize(width, height, false);
      this.marks.width = width * this.ratio;
      this.marks.height = height * this.ratio;
      this.camera.aspect = width / height;
      for (const item of this.items) item.setPixels(width * this.ratio, height * this.ratio);
    }
    setTime(time) {
      this.time = time;
      const [low, high, share] = haptos.between(this.times, time);
      for (const frame of this.frames.values()) {
        if (!frame.position) continue;
        pose(frame.group, frame.position, frame.quaternion, low, high, share);
      }
      for (const item of this.items) item.setTime(time);
    }
    // Orientation, origin and points of a frame in world axes, from the groups as they are now.
    orientation(name) {
      const turn = new THREE.Quaternion();
      for (let g = this.frames.get(name).group; g !== this.root; g = g.parent) {
        turn.premultiply(g.quaternion);
      }
      return turn;
    }
    position(name, point) {
      const place = new THREE.Vector3(...point);
      for (let g = this.frames.get(name).group; g !== this.root; g = g.parent) {
        place.applyQuaternion(g.quaternion).add(g.position);
      }
      return place;
    }
    origin(name) {
      return this.position(name, [0, 0, 0]);
    }
    draw() {
      this.orbit.place(this.camera, this.root, this, this.reach);
      const right = new THREE.Vector3(-0.5, 0.75, 0.45).applyQuaternion(this.camera.quaternion);
      this.sun.position.copy(right.normalize().multiplyScalar(this.orbit.distance * 10));
      this.renderer.render(this.world, this.camera);
      this.mark();
    }
    mark() {
      const pen = this.marks.getContext("2d");
      const width = this.marks.width / this.ratio;
      const height = this.marks.height / this.ratio;
      pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.font = "12px system-ui, sans-serif";
      pen.fillStyle = pen.strokeStyle = this.theme.ink;
      pen.lineWidth = 1.5;
      scaleBar(pen, this.theme, height, (this.orbit.distance * 2 * Math.tan((ANGLE * Math.PI) / 360)) / height);
      this.triad(pen, width, height);
      pen.textAlign = "left";
      if (this.times.length > 1) haptos.written(pen, this.theme, `t = ${haptos.shown(this.time, 5)} s`, 14, 22);
      this.legends.forEach((map, n) => this.legend(pen, map, n));
    }
    triad(pen, width, height) {
      const axes = this.orientation(this.orbit.spec.axes);
      const back = this.camera.quaternion.clone().invert();
      const x = width - 48;
      const y = height - 60;
      ["x", "y", "z"].forEach((name, k) => {
        const way = new THREE.Vector3().setComponent(k, 1).applyQuaternion(axes).applyQuaternion(back);
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x + 24 * way.x, y - 24 * way.y);
        pen.stroke();
        pen.textAlign = "center";
        haptos.written(pen, this.theme, name, x + 33 * way.x, y - 33 * way.y + 4);
      });
      pen.textAlign = "right";
      const spec = this.orbit.spec.axes;
      haptos.written(pen, this.theme, spec === WORLD ? "inertial axes" : `${spec} axes`, width - 10, height - 6);
    }
    legend(pen, map, n) {
      const top = 40 + 66 * n;
      const wide = 170;
      pen.textAlign = "left";
      haptos.written(pen, this.theme, `${map.name} [${map.unit}]`, 14, top + 10);
      for (let i = 0; i < wide; i++) {
        const at = 3 * Math.round((255 * i) / (wide - 1));
        pen.fillStyle = `rgb(${this.palette[at]},${this.palette[at + 1]},${this.palette[at + 2]})`;
        pen.fillRect(14 + i, top + 17, 1.2, 10);
      }
      pen.fillStyle = this.theme.ink;
      haptos.written(pen, this.theme, haptos.shown(map.range[0], 3), 14, top + 41);
      pen.textAlign = "right";
      haptos.written(pen, this.theme, haptos.shown(map.range[1], 3), 14 + wide, top + 41);
    }
  }

  // Whether the processor draws, for want of a graphics card.
  function isSlow() {
    const gl = document.createElement("canvas").getContext("webgl");
    const about = gl && gl.getExtension("WEBGL_debug_renderer_info");
    const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
  }

  function pose(group, position, quaternion, low, high, share) {
    const p = position.shape[0] > 1 ? [low, high] : [0, 0];
    const q = quaternion.shape[0] > 1 ? [low, high] : [0, 0];
    const at = (k) => mixed(position, 3 * p[0] + k, 3 * p[1] + k, share);
    group.position.set(at(0), at(1), at(2));
    const turn = (row) => new THREE.Quaternion(
      quaternion.value(4 * row + 1), quaternion.value(4 * row + 2), quaternion.value(4 * row + 3),
      quaternion.value(4 * row)).normalize();
    group.quaternion.copy(turn(q[0]));
    if (share > 0 && q[0] !== q[1]) group.quaternion.slerp(turn(q[1]), share);
  }

  function mixed(stored, first, second, share) {
    const a = stored.value(first);
    return share > 0 ? a + share * (stored.value(second) - a) : a;
  }

  function scaleBar(pen, theme, height, metresPerPixel) {
    const length = haptos.roundBelow(130 * metresPerPixel);
    const wide = length / metresPerPixel;
    const y = height - 16;
    pen.beginPath();
    pen.moveTo(14, y - 5);
    pen.lineTo(14, y);
    pen.lineTo(14 + wide, y);
    pen.lineTo(14 + wide, y - 5);
    pen.stroke();
    const spec = length >= 1000 ? [length / 1000, "km"] : length >= 0.1 ? [length, "m"] : [length * 1000, "mm"];
    pen.textAlign = "left";
    haptos.written(pen, theme, `${haptos.shown(spec[0], 3)} ${spec[1]}`, 14, y - 10);
  }

  haptos.Stage = Stage;
})(window.haptos = window.haptos || {});
