/** Which taps on a card count, in whatever order a tap and Telegram's response to sending the card arrive (F-02). */
import { beforeEach, expect, it } from 'vitest'
import {
  buttonIdIn,
  buttonsUnder,
  createCardService,
  settleTap,
} from '../../integrations/channels/runtime/cards.ts'
import type { ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { Shell } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'

const KEY = new Uint8Array(32).fill(7)
const CHAT = 7
const CARD = 31
const values = new Map<string, unknown>()
const kept = {
  get: (name: string) => values.get(name),
  put: (name: string, value: unknown) => void values.set(name, structuredClone(value)),
} as ChannelState
const decided: string[] = []
let isWritten = true
let isCutOff = false
const shell = {
  async decide({ decision, principal, place }: Record<'decision' | 'principal' | 'place', string>) {
    expect([principal, place]).toEqual([OWNER_PRINCIPAL, 'home'])
    if (isCutOff) throw new Error('cut off')
    if (!isWritten) return err('approval_unknown')
    decided.push(decision)
    return ok({ task: '', principal: '' })
  },
} as unknown as Shell
/** Finds no approval: these tests do not look at the text of a decided card. */
const powers = { place: 'home', store: { loadApproval: () => null, pendingApprovals: () => [] } }

beforeEach(() => {
  values.clear()
  decided.length = 0
  isWritten = true
  isCutOff = false
})

const cards = () => createCardService({ kept, channel: 'telegram' }, KEY)

/** Ids of its buttons, as sent. */
function buttonsOf(delivery = 'd1'): readonly string[] {
  const rows = buttonsUnder(cards(), { id: delivery, kind: 'card', approval: 'a1' }, CHAT) ?? []
  return rows.flat().map(({ data }) => buttonIdIn(KEY, { channel: 'telegram', chat: CHAT }, data) ?? '')
}

const tapped = async (button: string, message: number, chat = CHAT): Promise<string> => {
  const settled = await settleTap(
    { kept, channel: 'telegram' },
    { shell, powers: powers as unknown as Powers },
    { button, chat, message },
  )
  return settled.ok ? settled.value.what : settled.reason.code
}

it('a tap counts before Telegram has answered where the card stands', async () => {
  const [yes = '', no = ''] = buttonsOf()
  expect(await tapped(yes, CARD)).toBe('approve')
  cards().shown('d1', CARD)
  expect([await tapped(no, CARD), decided]).toEqual(['approval_unknown', ['approve']])
})

it('the first tap fixes the message in which the card stands', async () => {
  const [yes = ''] = buttonsOf()
  const elsewhere = Promise.all([tapped(yes, CARD), tapped(yes, CARD + 1)])
  expect(await elsewhere).toEqual(['approve', 'approval_unknown'])
})

it('a tap on another message is refused once the card’s message is known', async () => {
  const [yes = ''] = buttonsOf()
  cards().shown('d1', CARD)
  expect([await tapped(yes, CARD + 1), decided]).toEqual(['approval_unknown', []])
  expect(await tapped(yes, CARD)).toBe('approve')
})

it('a tap counts if the question was not stored yet at the first tap', async () => {
  const [yes = '', no = ''] = buttonsOf()
  isWritten = false
  expect(await tapped(yes, CARD)).toBe('approval_unknown')
  isWritten = true
  expect([await tapped(no, CARD), decided]).toEqual(['deny', ['deny']])
})

it('a tap from another chat is refused, whatever message it names', async () => {
  const [yes = ''] = buttonsOf()
  expect([await tapped(yes, CARD, CHAT + 1), decided]).toEqual(['approval_unknown', []])
})

it('of two concurrent taps the first one counts', async () => {
  const [yes = '', no = ''] = buttonsOf()
  expect(await Promise.all([tapped(yes, CARD), tapped(no, CARD)])).toEqual(['approve', 'approval_unknown'])
  expect(decided).toEqual(['approve'])
})

it('an interrupted tap counts when it is delivered again, and the other button does not', async () => {
  const [yes = '', no = ''] = buttonsOf()
  isCutOff = true
  await expect(tapped(yes, CARD)).rejects.toThrow('cut off')
  isCutOff = false
  expect([await tapped(no, CARD), await tapped(yes, CARD), decided]).toEqual([
    ...['approval_unknown', 'approve'],
    ['approve'],
  ])
})

it('a tap counts once: a decided card refuses further taps', async () => {
  const [yes = ''] = buttonsOf()
  expect([await tapped(yes, CARD), await tapped(yes, CARD), decided]).toEqual([
    ...['approve', 'approval_unknown'],
    ['approve'],
  ])
})

it('a card that is sent again has the same buttons', () => expect(buttonsOf()).toEqual(buttonsOf()))

it('a tap on a card is refused when too many cards followed it', async () => {
  const [yes = ''] = buttonsOf()
  for (let n = 2; n <= 50; n += 1) buttonsOf(`d${n}`)
  const known = [...values.values()].flat()
  const [newest = ''] = buttonsOf('d51')
  expect([known.length, [...values.values()].flat().length]).toEqual([50, 50])
  expect([await tapped(yes, CARD), await tapped(newest, CARD)]).toEqual(['approval_unknown', 'approve'])
})

it('a tap on a card of another channel is refused', async () => {
  const [yes = ''] = buttonsOf()
  const settled = await settleTap(
    { kept, channel: 'slack' },
    { shell, powers: powers as unknown as Powers },
    { button: yes, chat: CHAT, message: CARD },
  )
  expect([settled, decided]).toMatchObject([{ ok: false, reason: { code: 'approval_unknown' } }, []])
})
