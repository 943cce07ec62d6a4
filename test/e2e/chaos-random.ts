/** Numbers that a seed decides, so that what a failed run did can be done again. For the chaos tests. */

export interface Random {
  /** In [0, 1). */
  next(): number
  /** In [from, to). */
  between(from: number, to: number): number
  pick<T>(choices: readonly T[]): T
  /** One of the names, as often as its weight says. */
  weighed<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K
  shuffle<T>(things: readonly T[]): T[]
  /** A stream of its own, so that who asks more often does not move the others. */
  fork(name: string): Random
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  /** mulberry32: 32 bits of state, good enough to choose faults. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + (to - from) * next()
  return {
    next,
    between,
    pick(choices) {
      const chosen = choices[Math.floor(next() * choices.length)]
      if (chosen === undefined) throw new RangeError('nothing to choose from')
      return chosen
    },
    weighed<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
      const rows = Object.entries(weights) as [K, number][]
      let left = next() * rows.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of rows) {
        left -= weight
        if (left < 0) return name
      }
      throw new RangeError('nothing to choose from')
    },
    shuffle: (things) =>
      things
        .map((thing) => ({ thing, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ thing }) => thing),
    fork: (name) =>
      createRandom([...name].reduce((hash, each) => Math.imul(hash, 31) + each.charCodeAt(0), seed)),
  }
}

/** `PFAR_CHAOS_SEED` runs a failed seed again. */
export function chosenSeed(): number {
  const given = Number(process.env['PFAR_CHAOS_SEED'])
  return Number.isInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 2 ** 31)
}
