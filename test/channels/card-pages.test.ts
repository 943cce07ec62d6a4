/**
 * "Show all" on a card that is longer than a screen, over Telegram and Slack (F-02): each tap turns the page in the same message,
 * the pages together are the exact card, and a tap in another chat or on a finished card turns nothing.
 */
import { describe, expect, it } from 'vitest'
import {
  buttonIdIn,
  buttonsUnder,
  type CheckedTap,
  createCardService,
  settleTap,
} from '../../integrations/channels/runtime/cards.ts'
import type { Called, ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import { booking, created, onlyOne, planning, worldWith } from '../pipeline/approvals-owner.ts'
import type { World } from '../pipeline/world.ts'

const KEY = new Uint8Array(32).fill(7)
const TITLE = Array.from({ length: 140 }, (_, n) => String(n % 10)).join('\n')

interface Chat {
  readonly channel: 'telegram' | 'slack'
  readonly chat: Called
  readonly elsewhere: Called
  readonly message: Called
  /** Callback data of the buttons under this card, as sent to the channel. */
  buttons(kept: ChannelState, card: Delivery): Readonly<Record<'yes' | 'more', string>>
}

const CHATS: readonly Chat[] = [
  {
    ...{ channel: 'telegram', chat: 7, elsewhere: 8, message: 31 },
    buttons(kept, { id: delivery, approval, buttons }) {
      const card = { id: delivery, kind: 'card' as const, approval, ...(buttons && { buttons }) }
      const rows = (buttonsUnder(createCardService({ kept, channel: 'telegram' }, KEY), card, 7) ?? []).flat()
      const data = (label: string): string => {
        return rows.find(({ text }) => text === label)?.data ?? ''
      }
      return { yes: data('Yes'), more: data(buttons?.more ?? 'none') }
    },
  },
  {
    ...{ channel: 'slack', chat: 'D1', elsewhere: 'D2', message: '1.1' },
    buttons: (kept, { id: delivery, approval }) =>
      createCardService({ kept, channel: 'slack' }, KEY).buttonsOf(
        { delivery, approval: approval ?? '', chat: 'D1' },
        0,
      ),
  },
]

interface Asked {
  readonly world: World
  /** Full text of the question, as the owner's terminal shows it. */
  readonly full: string
  readonly last: () => Delivery
  readonly tap: (what: 'yes' | 'more', over?: Partial<CheckedTap>) => Promise<string>
}

/** A long card in that chat, at its first page. */
async function asked(
  { channel, chat, message, buttons }: Chat,
  words = 'do the unusual thing',
): Promise<Asked> {
  const values = new Map<string, unknown>()
  const kept = {
    get: (name: string) => values.get(name),
    put: (name: string, value: unknown) => void values.set(name, structuredClone(value)),
  } as ChannelState
  const world = worldWith({ pushes: true, models: [planning(booking({ title: TITLE }))] })
  await world.say(words)
  await world.shell.tick()
  const { full } = await onlyOne(world)
  const last = (): Delivery => world.sent.at(-1) as Delivery
  const data = buttons(kept, last())
  return {
    ...{ world, full, last },
    async tap(what, over = {}) {
      const button = buttonIdIn(KEY, { channel, chat }, data[what]) ?? ''
      const { powers, shell } = world
      const tapped = { button, chat, message, ...over }
      const settled = await settleTap({ kept, channel }, { powers, shell }, tapped)
      return settled.ok ? settled.value.what : settled.reason.code
    },
  }
}

describe.each(CHATS)('a card longer than a screen, over $channel', (of) => {
  it('each tap on "more" shows the next page, the pages make up the whole card, and the first page follows the last', async () => {
    const { last, tap, full, world } = await asked(of)
    const { id, text: first, buttons } = last()
    expect(buttons?.more).toBe('Show all')
    const pages: string[] = []
    for (let turned = await tap('more'); last().text !== first; turned = await tap('more')) {
      expect([turned, last().id, last().kind]).toEqual(['page', id, 'card'])
      const { total } = /^Page \d+ of (?<total>\d+)\n/.exec(last().text)?.groups ?? {}
      expect(last().text.startsWith(`Page ${pages.length + 1} of ${total}\n`)).toBe(true)
      pages.push(last().text.replace(/^.*\n/, ''))
      expect(pages.length).toBeLessThanOrEqual(Number(total))
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.join('\n')).toBe(full)
    expect([last().buttons?.more, created(world)]).toEqual(['Show all', []])
  })

  it('a card can be approved on any page, and then no longer turns', async () => {
    const { last, tap, world } = await asked(of)
    await tap('more')
    expect(await tap('yes')).toBe('approve')
    await world.shell.run('principal:owner')
    expect(created(world)).toEqual([TITLE])
    const { length } = world.sent
    expect([await tap('more'), world.sent.length]).toEqual(['late', length])
    expect(last().text).not.toMatch(/^Page /)
  })

  it('a yes to a rule says below its card that it holds from now on', async () => {
    const { tap, world } = await asked(of, 'every day at 8 tell me my unread mail')
    expect(await tap('yes')).toBe('approve')
    expect(world.powers.store.jobs().map(({ state }) => state)).toEqual(['on'])
    const { kind, text } = world.sent.at(-1) as Delivery
    expect(kind).toBe('notice')
    expect(text).toMatch(/The next times:[\s\S]*\n\nYou said yes, and it holds from now on\.$/)
  })

  it('a tap on a card that was answered elsewhere says so and removes its buttons', async () => {
    const { last, tap, world } = await asked(of)
    const { id } = last()
    const { id: approval } = await onlyOne(world)
    const decided = { approval, decision: 'deny', principal: 'principal:owner', place: 'home' } as const
    // As if approved on this very card, which its own line then closes.
    await world.shell.decide(decided, true)
    expect(await tap('more')).toBe('late')
    expect(last()).toMatchObject({ id, kind: 'notice', approval: null })
    expect(last().text).toMatch(/Cancelled at 12:00: I did not do it/)
    expect([await tap('yes'), created(world)]).toEqual(['late', []])
  })

  it('a tap from another chat, or on another message once the card’s is known, does not turn the page', async () => {
    const { last, tap } = await asked(of)
    await tap('more')
    const page = last()
    const { elsewhere, chat } = of
    expect(await tap('more', { chat: elsewhere })).toBe('approval_unknown')
    expect(await tap('more', { message: chat })).toBe('approval_unknown')
    expect(last()).toEqual(page)
  })

  it('a button made for another chat is refused', async () => {
    const kept = { get: () => undefined, put: () => undefined } as unknown as ChannelState
    const card = { id: 'd1', approval: 'a1', buttons: { yes: 'Yes', no: 'No', more: 'Show all' } }
    const { more } = of.buttons(kept, card as Delivery)
    const { channel, chat, elsewhere } = of
    expect(buttonIdIn(KEY, { channel, chat }, more)).not.toBeNull()
    expect(buttonIdIn(KEY, { channel, chat: elsewhere }, more)).toBeNull()
  })
})
