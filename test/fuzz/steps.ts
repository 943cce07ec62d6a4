/**
 * Counts how often a parser looks into its input. Time says nothing on a busy machine; looks do: a parser that walks in
 * circles is found by its number of steps, which is the same everywhere. Called by judge.ts.
 */

export interface Counted {
  readonly value: unknown
  /** Looks are free from now on: what is judged afterwards is not the parser's work. */
  stop(): void
}

/** Thrown out of a look when there were too many: a walk without end would never come back to be judged. */
export class TooManySteps extends Error {}

/** The same data behind proxies; a look above `most` throws `TooManySteps`. */
export function countSteps(tree: unknown, most: number): Counted {
  let steps = 0
  let counting = true
  const step = <T>(looked: T): T => {
    if (counting) steps += 1
    if (steps > most && counting) throw new TooManySteps()
    return looked
  }
  const seen = new WeakMap<object, object>()
  const watch = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = seen.get(value)
    if (known !== undefined) return known
    const proxy = new Proxy(value, {
      get: (target, key, receiver) => step(watch(Reflect.get(target, key, receiver))),
      getOwnPropertyDescriptor: (target, key) => {
        const found = step(Reflect.getOwnPropertyDescriptor(target, key))
        return found !== undefined && 'value' in found ? { ...found, value: watch(found.value) } : found
      },
      ownKeys: (target) => step(Reflect.ownKeys(target)),
      has: (target, key) => step(Reflect.has(target, key)),
    })
    seen.set(value, proxy)
    return proxy
  }
  const stop = (): void => {
    counting = false
  }
  return { value: watch(tree), stop }
}

/** Nodes of a tree, names of members included; without recursion. */
export function sizeOf(tree: unknown): number {
  let nodes = 0
  const work: unknown[] = [tree]
  for (let at = 0; at < work.length; at += 1) {
    const value = work[at]
    nodes += 1
    if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) work.push(inner)
  }
  return nodes
}
