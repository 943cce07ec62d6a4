/** What arguments and values are called on the cards of shipped tools: words in each language, none alike, and nothing that goes without saying. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { renderCard } from '../../kernel/features/approvals/card/card.ts'
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { test as testInside } from '../../kernel/flow/labeled.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { EFFECT_IDS, lookUpAction } from '../../kernel/powers/effects.ts'
import { createRegistry, type RegisteredAction } from '../../kernel/tool/registry.ts'
import { argName, cardWords } from '../../kernel/tool/worded.ts'

const REGISTRY = createRegistry(TOOL_MANIFESTS)
const WRITES = [...REGISTRY.actions.values()].filter(({ semantics }) => semantics === 'write')

/** Every action that may put a card: those that write, and reads that a service of others learns of. */
const CARDED = [...REGISTRY.actions.values()].filter(
  ({ semantics, card }) => semantics === 'write' || card !== undefined,
)

const EFFECTS = EFFECT_IDS.flatMap((id) => {
  const found = lookUpAction(REGISTRY, id)
  return found.ok && found.value.semantics === 'write' && found.value.card !== undefined ? [found.value] : []
})

type Arguments = Readonly<Record<string, Json>>

function sampleOf(spec: FieldSpec): Json {
  switch (spec.kind) {
    case 'list':
      return [sampleOf(spec.of)]
    case 'record':
      return Object.fromEntries(Object.entries(spec.fields).map(([name, field]) => [name, sampleOf(field)]))
    case 'boolean':
      return true
    case 'number':
      return 3
    case 'enum':
      return spec.values?.[0] ?? ''
    case 'email':
      return 'tom@example.com'
    case 'date':
      return '2026-11-27T13:00:00+01:00'
    default:
      return spec.kind === 'url' ? 'https://example.org/x' : 'Abc'
  }
}

function argsOf({ args }: RegisteredAction): Arguments {
  return Object.fromEntries(Object.entries(args.fields).map(([name, spec]) => [name, sampleOf(spec)]))
}

function cardOf(action: RegisteredAction, args: Arguments, assistant = 1): string {
  const names = Object.keys(args)
  let card = ''
  const input = {
    ...({ action, reason: 'write_approval_required', sink: 'sink:calendar:owner', contacts: [] } as const),
    ...{ cut: false, authors: { assistant: names.slice(0, assistant), service: names.slice(assistant) } },
    ...{ timezone: 'Europe/Berlin', now: Date.parse('2026-11-23T10:00:00Z') },
  }
  testInside(renderCard(receive(args, kernelWords()), input), (text) => {
    card = text
    return true
  })
  return card
}

function find(id: string): RegisteredAction {
  const action = REGISTRY.actions.get(id)
  if (action === undefined) throw new Error(id)
  return action
}

afterEach(() => speak('en'))

describe.each(['en', 'de'] as const)('a card of a write (%s)', (language) => {
  beforeEach(() => speak(language))

  it.each(WRITES.map((action) => [action.id, action] as const))(
    '%s has words for each of its arguments',
    (_, action) => {
      const names = Object.keys(action.args.fields)
      const called = names.map((name) => argName(action, name))
      expect(new Set(called).size).toBe(names.length)
      for (const name of called) expect(name).not.toMatch(/[a-z][A-Z]|_/)
      const card = cardOf(action, argsOf(action))
      expect(card).not.toMatch(/: (?:true|false)$/m)
      expect(card).not.toMatch(/ $|undefined/m)
      for (const name of called) expect(card).toContain(`${name}:`)
    },
  )

  it.each(CARDED.map((action) => [action.id, action] as const))(
    '%s declares a word for each of its arguments',
    (_, action) => {
      const { names = {} } = cardWords(action) ?? {}
      expect(Object.keys(action.args.fields).filter((name) => !Object.hasOwn(names, name))).toEqual([])
    },
  )

  it('says who wrote what by the same words', () => {
    const card = cardOf(find('calendar.update_event'), { from: '2026-11-27T13:00:00+01:00', id: 'd1' })
    const [starts, event] = language === 'en' ? ['starts', 'event'] : ['beginnt', 'Termin']
    expect(card).toMatch(new RegExp(`: ${starts}\\. [^:\n]*: ${event}\\.`))
    expect(card.split('\n').at(-1)).toMatch(
      new RegExp(`^\\(.*: ${event}: d1, ${starts}: 2026-11-27T13:00:00\\+01:00\\)$`),
    )
  })
})

describe('in German no name is the English one', () => {
  beforeEach(() => speak('de'))
  /** The same word in both languages. */
  const ALIKE = new Set(['Text', 'Name', 'Repository', 'Issue oder Pull Request', 'Mail', 'Mails'])
  it.each(CARDED.map((action) => [action.id, action] as const))('%s', (_, action) => {
    for (const name of Object.keys(action.args.fields)) {
      const called = argName(action, name)
      if (!ALIKE.has(called)) expect(called).not.toBe(name)
    }
  })
})

describe('what goes without saying', () => {
  it.each(['calendar.update_event', 'calendar.delete_event', 'calendar.answer_invitation'])(
    '%s: the main calendar has no line of its own, any other has',
    (id) => {
      const action = find(id)
      const card = (calendar: string): string => cardOf(action, { id: 'd1', calendar })
      const aside = '\n(The exact values: calendar: primary)'
      expect(card('primary').endsWith(aside)).toBe(true)
      expect(card('primary').replace(aside, '')).toBe(cardOf(action, { id: 'd1' }))
      expect(card('family')).toContain('\n  calendar: family\n')
    },
  )
})

describe('several ids', () => {
  const ids = ['m1', 'm2']
  it('are in one line where they were looked up, as what they stand for is said', () => {
    const action = find('email.archive')
    expect(cardOf(action, { account: 'me', ids }, 0)).toMatch(
      /\n\(The exact values: account: me, mails: m1, m2\)$/,
    )
  })

  it('are never the same line for other ids', () => {
    const action = find('email.archive')
    const lists = [['m1'], ['m1', 'm2'], ['m2', 'm1'], ['m1, m2'], ['m1,m2']]
    expect(new Set(lists.map((one) => cardOf(action, { account: 'me', ids: one }, 0))).size).toBe(
      lists.length,
    )
  })
})

describe.each(['en', 'de'] as const)('a card of the kernel’s own (%s)', (language) => {
  beforeEach(() => speak(language))

  it.each(EFFECTS.map((action) => [action.id, action] as const))(
    '%s has words for its arguments and their values, and no name that only a program uses',
    (_, action) => {
      const fields = Object.entries(action.args.fields)
      const called = fields.map(([name]) => argName(action, name))
      expect(new Set(called).size).toBe(fields.length)
      const bare = fields.filter(([name]) => argName(action, name) === name).map(([name]) => name)
      expect(
        bare.filter(
          (name) => language === 'de' || !['text', 'number', 'about', 'people', 'name'].includes(name),
        ),
      ).toEqual([])
      for (const [name, spec] of fields)
        for (const value of spec.kind === 'enum' ? (spec.values ?? []) : [])
          expect(cardOf(action, { [name]: value })).not.toMatch(new RegExp(`: ${value}$`, 'm'))
    },
  )
})
