/** What a card costs a reader: it says nothing twice, its reason is borne out by the line on who wrote what, and a list has two lines of each. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { Authors } from '../../kernel/features/approvals/card/authors.ts'
import { beforeQuestion, renderCard } from '../../kernel/features/approvals/card/card.ts'
import { briefCard } from '../../kernel/features/approvals/card/card-face.ts'
import { leavesOf } from '../../kernel/flow/field.ts'
import { test as testInside } from '../../kernel/flow/labeled.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { createRegistry, type RegisteredAction } from '../../kernel/tool/registry.ts'

import { tell } from '../../kernel/wording/words.ts'

const WRITES = [...createRegistry(TOOL_MANIFESTS).actions.values()].filter(
  ({ semantics, card }) => semantics === 'write' && card !== undefined,
)

function cardOf(action: RegisteredAction, reason: ReasonCode, authors: Authors): string {
  const args = Object.fromEntries(Object.keys(action.args.fields).map((name) => [name, 'x']))
  let text = ''
  const input = {
    action,
    reason,
    sink: action.sink ?? 'sink:memory:owner',
    contacts: [],
    cut: false,
    authors,
  }
  const card = renderCard(receive(args, kernelWords()), { ...input, timezone: 'UTC', now: 0 })
  testInside(card, (shown) => {
    text = shown
    return true
  })
  return text
}

const namesOf = ({ args }: RegisteredAction): readonly string[] => Object.keys(args.fields)

afterEach(() => speak('en'))

describe.each(['en', 'de'] as const)('the reason of a card (%s)', (language) => {
  beforeEach(() => speak(language))
  const notOnlyYours = (): string => tell('wording.asks_free_text')

  it.each(WRITES.map((action) => [action.id, action] as const))(
    '%s: free text that the owner wrote is never called somebody else’s',
    (_, action) => {
      const owner = namesOf(action)
      expect(cardOf(action, 'write_free_text', { owner })).not.toContain(notOnlyYours())
      expect(cardOf(action, 'write_free_text', { owner })).toContain(tell('wording.asks_after_looking'))
    },
  )

  it.each(WRITES.map((action) => [action.id, action] as const))(
    '%s: free text that another wrote is said to be',
    (_, action) => {
      const texts = namesOf(action).filter((name) => {
        const spec = action.args.fields[name]
        return spec !== undefined && leavesOf(spec).some(([, leaf]) => leaf.kind === 'text')
      })
      const owner = namesOf(action).filter((name) => !texts.includes(name))
      const card = cardOf(action, 'write_free_text', { owner, service: texts })
      expect(card.includes(notOnlyYours())).toBe(texts.length > 0)
    },
  )
})

describe('a card', () => {
  it.each(WRITES.map((action) => [action.id, action] as const))(
    '%s names no tool, and has four lines at most beside its arguments',
    (id, action) => {
      const card = cardOf(action, 'write_template_asks', { owner: namesOf(action) })
      expect(card).not.toContain(id)
      const own = card.split('\n').filter((line) => !line.startsWith('  '))
      expect(own.length).toBeLessThanOrEqual(4 + (action.post === undefined ? 0 : 4))
    },
  )

  it('has what a lookup found below the arguments, and a sentence of it before the question', () => {
    const action = WRITES.find(({ id }) => id === 'calendar.delete_event')
    const card =
      action === undefined ? '' : cardOf(action, 'write_template_asks', { service: namesOf(action) })
    const lines = beforeQuestion(card, ['  event: Yoga', 'It cannot be found again.']).split('\n')
    expect(lines.indexOf('  event: Yoga')).toBeLessThan(lines.findIndex((line) => line.startsWith('Goes to')))
    expect(lines[lines.indexOf('It cannot be found again.') + 1]).toMatch(/^I ask/)
  })
})

describe('the short form of a card', () => {
  it.each(WRITES.map((action) => [action.id, action] as const))('%s has two lines', async (_, action) => {
    for (const language of ['en', 'de'] as const) {
      await speak(language)
      const card = beforeQuestion(cardOf(action, 'write_raw', { others: namesOf(action) }), ['  found: x'])
      const [what, given] = briefCard(card)
      expect(card.startsWith(tell('approvals.may_i', { what: what.replace(/…$/, '') }))).toBe(true)
      for (const line of [what, given]) {
        expect(line).not.toContain('\n')
        expect(line.length).toBeLessThanOrEqual(141)
      }
      expect(given).toContain(': x')
    }
  })

  it('names a contact by its name alone, and any other by the address', () => {
    const of = (to: string): string => briefCard(`May I do this? Send it.\n  to:\n    - ${to}\nI ask.`)[1]
    expect(of('sarah@x.example ⟨Sarah Chen, a contact of yours⟩')).toBe('to: Sarah Chen')
    expect(of('eve@x.example')).toBe('to: eve@x.example')
    expect(of('eve@xn--x ⟨mixes Latin and Cyrillic⟩')).toBe('to: eve@xn--x ⟨mixes Latin and Cyrillic⟩')
  })

  it('ends a line that is too long in a sign of it, and never within an escape', () => {
    const [, given] = briefCard(`May I do this? Note it.\n  text: ${'a'.repeat(130)}⟨U+202E RLO⟩b\nI ask.`)
    expect(given).toMatch(/a…$/)
  })
})
