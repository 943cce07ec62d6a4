/** `Date` by the test clock, in Node and in workerd. Must import nothing: it goes into the edge's program as it stands. */

/** From now on; `performance` keeps the real time. */
export function shiftDate(offset: () => number): void {
  const Real = Date
  const realNow = Real.now.bind(Real)
  const now = () => realNow() + offset()
  Real.now = now
  // A date without arguments asks the system, not `Date.now`.
  const Shifted = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Real(now()).toString(),
  })
  Real.prototype.constructor = Shifted
  globalThis.Date = Shifted
}
