// The camera: turns about a target, at rest in the axes of a frame of the scene.
"use strict";
(function (haptos) {
  const STEEPEST = 0.495 * Math.PI;

  class Orbit {
    constructor(element, changed) {
      this.changed = changed;
      this.pointers = new Map();
      element.addEventListener("pointerdown", (event) => this.down(event, element));
      element.addEventListener("pointermove", (event) => this.move(event, element));
      for (const name of ["pointerup", "pointercancel"]) {
        element.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
      }
      element.addEventListener("wheel", (event) => {
        event.preventDefault();
        this.zoom(Math.exp(0.0012 * Math.max(-400, Math.min(400, event.deltaY))));
      }, { passive: false });
      element.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    // Start from a camera of the scene.
    use(spec) {
      this.spec = spec;
      this.distance = spec.distance;
      this.shift = new THREE.Vector3(); // of the target, in the camera's axes frame
      const up = new THREE.Vector3(...spec.up).normalize();
      const way = new THREE.Vector3(...spec.direction).normalize();
      const level = way.clone().addScaledVector(up, -way.dot(up));
      if (level.length() < 1e-6) level.set(up.z, up.x, up.y).addScaledVector(up, -level.dot(up));
      level.normalize();
      this.basis = [level, new THREE.Vector3().crossVectors(up, level), up];
      this.azimuth = 0;
      this.elevation = Math.asin(Math.max(-1, Math.min(1, way.dot(up))));
    }
    direction() {
      const [first, second, up] = this.basis;
      const flat = Math.cos(this.elevation);
      return new THREE.Vector3()
        .addScaledVector(first, flat * Math.cos(this.azimuth))
        .addScaledVector(second, flat * Math.sin(this.azimuth))
        .addScaledVector(up, Math.sin(this.elevation));
    }
    // Puts the camera at its place; the scene is moved so that the target is the origin.
    place(camera, root, stage, reach) {
      const axes = stage.orientation(this.spec.axes);
      const target = this.spec.frame
        ? stage.origin(this.spec.frame)
        : stage.position(this.spec.axes, this.spec.point);
      target.add(this.shift.clone().applyQuaternion(axes));
      const eye = this.direction().applyQuaternion(axes).multiplyScalar(this.distance);
      camera.up.copy(this.basis[2]).applyQuaternion(axes);
      camera.position.copy(eye);
      camera.lookAt(0, 0, 0);
      camera.near = this.distance * 0.004;
      camera.far = this.distance * 3 + 4 * reach;
      camera.updateProjectionMatrix();
      root.position.copy(target).negate();
    }
    down(event, element) {
      element.setPointerCapture(event.pointerId);
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    }
    move(event, element) {
      const before = this.pointers.get(event.pointerId);
      if (!before) return;
      const spread = this.spread();
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      const dx = event.clientX - before[0];
      const dy = event.clientY - before[1];
      if (this.pointers.size > 1) {
        if (spread > 0) this.zoom(spread / Math.max(this.spread(), 1));
        this.pan(0.5 * dx, 0.5 * dy, element);
      } else if (event.buttons & 2 || event.shiftKey) this.pan(dx, dy, element);
      else this.turn(-0.006 * dx, 0.006 * dy);
    }
    spread() {
      const [a, b] = [...this.pointers.values()];
      return b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    }
    turn(azimuth, elevation) {
      this.azimuth += azimuth;
      this.elevation = Math.max(-STEEPEST, Math.min(STEEPEST, this.elevation + elevation));
      this.changed();
    }
    pan(dx, dy, element) {
      const size = (0.83 * this.distance) / element.clientHeight; // of a pixel at the target
      const back = this.direction();
      const right = new THREE.Vector3().crossVectors(this.basis[2], back).normalize();
      const above = new THREE.Vector3().crossVectors(back, right);
      this.shift.addScaledVector(right, -dx * size).addScaledVector(above, dy * size);
      this.changed();
    }
    zoom(factor) {
      const first = this.spec.distance;
      this.distance = Math.max(first * 1e-3, Math.min(first * 30, this.distance * factor));
      this.changed();
    }
  }
  haptos.Orbit = Orbit;
})(window.haptos = window.haptos || {});
