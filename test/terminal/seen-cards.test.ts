/** Which card a bare yes in the terminal is an answer to, by what was shown since the owner's newest request. */
import { describe, expect, it } from 'vitest'
import type { WaitingCard } from '../../sidecar/cli/chat/cards.ts'
import { createSeenCards } from '../../sidecar/cli/chat/shown.ts'

const [a, b] = ['a', 'b'].map((id) => ({ id }) as WaitingCard) as [WaitingCard, WaitingCard]

describe('a bare yes', () => {
  it('is of the card that the newest request brought', () => {
    const seen = createSeenCards()
    seen.see(['a'])
    seen.asked()
    seen.see(['b'])
    expect(seen.meant([a, b])).toBe(b)
  })

  it.each<[string, (seen: ReturnType<typeof createSeenCards>) => void]>([
    ['one request brought both', (seen) => [['a'], ['b']].forEach(seen.see)],
    [
      'a notice came behind it',
      (seen) => {
        seen.see(['a'])
        seen.asked()
        seen.see(['b'])
        seen.interrupt()
      },
    ],
    [
      'both were listed since',
      (seen) => {
        seen.see(['a'])
        seen.asked()
        seen.see(['b'])
        seen.list(['a', 'b'])
      },
    ],
    [
      'the newest request brought none',
      (seen) => {
        seen.see(['a'])
        seen.see(['b'])
        seen.asked()
      },
    ],
  ])('is of none where %s', (_, show) => {
    const seen = createSeenCards()
    show(seen)
    expect(seen.meant([a, b])).toBe('several')
  })
})
