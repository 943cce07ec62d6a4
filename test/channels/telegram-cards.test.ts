/** Which tap on a card counts, however it and Telegram's word of where the card stands come in (F-02). */
import { beforeEach, expect, it } from 'vitest'
import { buttonIdIn } from '../../integrations/channels/runtime/button.ts'
import { buttonsUnder, createCardDesk, settleTap } from '../../integrations/channels/runtime/cards.ts'
import type { KeptPort } from '../../integrations/channels/runtime/kept.ts'
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
} as KeptPort
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
/** Knows no card by its text: what is shown of a decision is not looked at here. */
const powers = { place: 'home', store: { loadApproval: () => null, pendingApprovals: () => [] } }

beforeEach(() => {
  values.clear()
  decided.length = 0
  isWritten = true
  isCutOff = false
})

const cards = () => createCardDesk({ kept, channel: 'telegram' }, KEY)

/** Its buttons, as they are sent. */
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

it('counts before Telegram has said where the card stands', async () => {
  const [yes = '', no = ''] = buttonsOf()
  expect(await tapped(yes, CARD)).toBe('approve')
  cards().shown('d1', CARD)
  expect([await tapped(no, CARD), decided]).toEqual(['approval_unknown', ['approve']])
})

it('stands from then on where he tapped it', async () => {
  const [yes = ''] = buttonsOf()
  const elsewhere = Promise.all([tapped(yes, CARD), tapped(yes, CARD + 1)])
  expect(await elsewhere).toEqual(['approve', 'approval_unknown'])
})

it('is over on another message, once it is known where it stands', async () => {
  const [yes = ''] = buttonsOf()
  cards().shown('d1', CARD)
  expect([await tapped(yes, CARD + 1), decided]).toEqual(['approval_unknown', []])
  expect(await tapped(yes, CARD)).toBe('approve')
})

it('counts at the next tap where the question was not written down at the first', async () => {
  const [yes = '', no = ''] = buttonsOf()
  isWritten = false
  expect(await tapped(yes, CARD)).toBe('approval_unknown')
  isWritten = true
  expect([await tapped(no, CARD), decided]).toEqual(['deny', ['deny']])
})

it('is over in another chat, whatever message that has', async () => {
  const [yes = ''] = buttonsOf()
  expect([await tapped(yes, CARD, CHAT + 1), decided]).toEqual(['approval_unknown', []])
})

it('of two taps at once is the first', async () => {
  const [yes = '', no = ''] = buttonsOf()
  expect(await Promise.all([tapped(yes, CARD), tapped(no, CARD)])).toEqual(['approve', 'approval_unknown'])
  expect(decided).toEqual(['approve'])
})

it('that was cut off counts when it is told again, and the other button does not', async () => {
  const [yes = '', no = ''] = buttonsOf()
  isCutOff = true
  await expect(tapped(yes, CARD)).rejects.toThrow('cut off')
  isCutOff = false
  expect([await tapped(no, CARD), await tapped(yes, CARD), decided]).toEqual([
    ...['approval_unknown', 'approve'],
    ['approve'],
  ])
})

it('counts once: what was decided is over', async () => {
  const [yes = ''] = buttonsOf()
  expect([await tapped(yes, CARD), await tapped(yes, CARD), decided]).toEqual([
    ...['approve', 'approval_unknown'],
    ['approve'],
  ])
})

it('has the same buttons however often its card is told', () => expect(buttonsOf()).toEqual(buttonsOf()))

it('is over where too many cards came after it', async () => {
  const [yes = ''] = buttonsOf()
  for (let n = 2; n <= 50; n += 1) buttonsOf(`d${n}`)
  const known = [...values.values()].flat()
  const [newest = ''] = buttonsOf('d51')
  expect([known.length, [...values.values()].flat().length]).toEqual([50, 50])
  expect([await tapped(yes, CARD), await tapped(newest, CARD)]).toEqual(['approval_unknown', 'approve'])
})

it('is one of its own channel’s cards', async () => {
  const [yes = ''] = buttonsOf()
  const settled = await settleTap(
    { kept, channel: 'slack' },
    { shell, powers: powers as unknown as Powers },
    { button: yes, chat: CHAT, message: CARD },
  )
  expect([settled, decided]).toMatchObject([{ ok: false, reason: { code: 'approval_unknown' } }, []])
})
