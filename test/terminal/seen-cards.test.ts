/** Which card a bare yes in the terminal is an answer to, by what was shown since the owner's newest request. */
import { describe, expect, it } from 'vitest'
import type { WaitingCard } from '../../sidecar/cli/chat/cards.ts'
import { createSeenCards } from '../../sidecar/cli/chat/shown.ts'

const [a, b] = ['a', 'b'].map((id) => ({ id }) as WaitingCard) as [WaitingCard, WaitingCard]

function screen() {
  const clock = { now: 1_000 }
  const seen = createSeenCards(() => clock.now)
  const wait = (ms: number): void => {
    clock.now += ms
  }
  return { seen, wait }
}

/** A card, a request, and the card that it brought. */
function two() {
  const { seen, wait } = screen()
  seen.see(['a'])
  seen.asked()
  seen.see(['b'])
  seen.brought('b')
  return { seen, wait }
}

describe('a bare yes', () => {
  it('is of the card that the newest request brought', () => {
    const { seen, wait } = two()
    wait(2_000)
    expect(seen.meant([a, b])).toBe(b)
  })

  it.each<[string, (of: ReturnType<typeof two>) => void]>([
    ['it was being typed when the card came', ({ wait }) => wait(1_999)],
    ['a notice came behind it', ({ seen }) => seen.interrupt()],
    ['both were listed since', ({ seen }) => void seen.list(['a', 'b'])],
    ['another card came by itself', ({ seen }) => seen.see(['a'])],
    ['the owner said something else since', ({ seen }) => seen.asked()],
  ])('is of none where %s', (what, then) => {
    const of = two()
    then(of)
    if (what !== 'it was being typed when the card came') of.wait(5_000)
    expect(of.seen.meant([a, b])).toBe('several')
  })

  it('is of none where the card came by itself', () => {
    const { seen, wait } = screen()
    seen.see(['a'])
    seen.asked()
    seen.see(['b'])
    wait(5_000)
    expect(seen.meant([a, b])).toBe('several')
  })
})
