/** The policy engine as truth tables: egress, reads, models, tools, writes, ceilings, relabelling, authority. */
import { describe, expect, it } from 'vitest'
import type { Clearance } from '../../kernel/flow/clearance.ts'
import { joinLabels, type Label, labelOf, PUBLIC } from '../../kernel/flow/label.ts'
import type { Level } from '../../kernel/flow/level.ts'
import type { Place } from '../../kernel/flow/place.ts'
import {
  applyCeiling,
  checkEgress,
  checkModel,
  checkRead,
  checkRelabel,
  checkTool,
  checkWrite,
  type ModelReader,
  type Policy,
  type WriteRequest,
} from '../../kernel/flow/policy.ts'
import { CLEAN, type TaintLevel } from '../../kernel/flow/taint.ts'
import {
  atom,
  egress,
  FINANCE,
  GRANT,
  HEALTH,
  label,
  NOW,
  POLICY,
  SINKS,
  sink,
  taint,
  why,
} from './fixtures.ts'

const MALFORMED = {} as Label
const GUARDS = ['public', 'internal', 'sensitive', 'regulated', 'regulated:health', 'secret']

/** What stands in the matrix below for each answer. */
const LETTER: Readonly<Record<string, string>> = {
  clearance: '+',
  public: '+',
  write_down: 'x',
  compartment_missing: 'C',
  sink_not_in_allow_list: 'L',
  sink_unknown: '?',
  secret_has_no_reader: 'S',
}

describe('checkEgress by clearance and allow list (A-05, A-40 – A-44)', () => {
  it.each([
    ['sink:telegram:owner', '+++x+S'],
    ['sink:slack_dm:owner', '+++xCS'],
    ['sink:console:owner', '+++xLS'],
    ['sink:telegram:open', '++xxCS'],
    ['sink:telegram:bob', '++xxCS'],
    ['sink:whatsapp:stranger', '+xxxCS'],
    ['sink:notion:work', '+++xCS'],
    ['sink:notion:bobs', '++LxCS'],
    ['sink:github:open_repo', '+xxxCS'],
    ['sink:github:closed_repo', '++xxCS'],
    ['sink:telegram:nobody', '+????S'],
  ])('%s: %s', (to, row) => {
    const answers = GUARDS.map((guard) => {
      const verdict = checkEgress(POLICY, egress(to, label(guard)))
      return LETTER[verdict.allow ? 'clearance' : verdict.code]
    })
    expect(answers.join('')).toBe(row)
  })

  it('has a row for every sink of the fixture', () => {
    expect(SINKS).toHaveLength(10)
    expect(why(checkEgress(POLICY, egress('sink:telegram:owner', label())))).toBe('nothing_guarded')
  })

  it('lets secret out nowhere, not even as own words or by a grant (A-14, A-41)', () => {
    for (const { id } of SINKS) {
      const own = labelOf([atom('secret', `chat:${id}`)])
      const policy = { ...POLICY, flowGrants: [{ ...GRANT, sink: id, origin: `chat:${id}`, field: 'f' }] }
      expect(checkEgress(policy, egress(id, own, GRANT.template))).toEqual({
        allow: false,
        code: 'secret_has_no_reader',
        facts: { origin: `chat:${id}` },
      })
    }
  })

  it('refuses for the one atom that does not pass, and names it', () => {
    const mixed = labelOf([
      atom('public', 'tool:a'),
      atom('sensitive', 'tool:b', 'body'),
      atom('public', 'tool:c'),
    ])
    expect(checkEgress(POLICY, egress('sink:github:closed_repo', mixed))).toEqual({
      allow: false,
      code: 'write_down',
      facts: {
        sink: 'sink:github:closed_repo',
        origin: 'tool:b',
        field: 'body',
        level: 'sensitive',
        cleared: 'internal',
      },
    })
  })

  it('names the sink and the level, never a value', () => {
    expect(checkEgress(POLICY, egress('sink:notion:bobs', label('sensitive')))).toMatchObject({
      facts: { sink: 'sink:notion:bobs', level: 'sensitive' },
    })
    expect(checkEgress(POLICY, egress('sink:x:y', label('internal')))).toMatchObject({
      facts: { sink: 'sink:x:y' },
    })
    expect(why(checkEgress(POLICY, egress('sink:x:y', label('public:health'))))).toBe('sink_unknown')
  })

  it('takes a list that is there and empty as none, and several lists as all of them', () => {
    const to = egress('sink:telegram:owner', label('sensitive'))
    const listed = (...patterns: string[][]): Policy => ({
      ...POLICY,
      allowLists: patterns.map((each) => ({ guard: 'sensitive', patterns: each })),
    })
    expect(why(checkEgress(listed([]), to))).toBe('sink_not_in_allow_list')
    expect(why(checkEgress(listed(['sink:telegram:*'], ['sink:notion:*']), to))).toBe(
      'sink_not_in_allow_list',
    )
    expect(why(checkEgress(listed(['sink:x:y', 'sink:telegram:*']), to))).toBe('clearance')
    expect(why(checkEgress(listed(), to))).toBe('clearance')
  })

  it('denies what it cannot read', () => {
    expect(why(checkEgress(POLICY, egress('sink:telegram:owner', MALFORMED)))).toBe('policy_failed')
    const odd = { atoms: [{ ...atom('public'), level: 'top' as Level }] }
    expect(why(checkEgress(POLICY, egress('sink:telegram:owner', odd)))).toBe('policy_failed')
    expect(why(checkEgress(POLICY, egress('sink:x:y', odd)))).toBe('policy_failed')
    const broken = { ...POLICY, sinks: [sink('sink:a:b', 'top' as Level)] }
    expect(why(checkEgress(broken, egress('sink:a:b', label('public'))))).toBe('policy_failed')
    // @ts-expect-error a check without a policy does not type-check, and no policy means no
    expect(why(checkEgress(undefined, egress('sink:telegram:owner', PUBLIC)))).toBe('policy_failed')
  })
})

describe('checkEgress of own words (X-05)', () => {
  const words = (from: string, guard = 'sensitive') => labelOf([atom(guard, `chat:${from}`, 'words')])

  it.each([
    ['back to the chat of one', 'sink:whatsapp:stranger', words('sink:whatsapp:stranger'), 'own_words'],
    ['whatever its level', 'sink:telegram:bob', words('sink:telegram:bob', 'regulated:health'), 'own_words'],
    ['to another chat', 'sink:telegram:bob', words('sink:whatsapp:stranger'), 'write_down'],
    [
      'to a chat whose id begins alike',
      'sink:whatsapp:stranger',
      words('sink:whatsapp:stranger2'),
      'write_down',
    ],
    ['to a chat of many', 'sink:github:open_repo', words('sink:github:open_repo'), 'write_down'],
    ['to an unknown chat', 'sink:x:y', words('sink:x:y'), 'sink_unknown'],
  ])('%s', (_, to, what, expected) => {
    expect(why(checkEgress(POLICY, egress(to, what)))).toBe(expected)
  })

  it('does not carry what is joined to them', () => {
    const joined = joinLabels(words('sink:whatsapp:stranger'), label('internal'))
    expect(why(checkEgress(POLICY, egress('sink:whatsapp:stranger', joined)))).toBe('write_down')
  })
})

describe('checkEgress by grant (F-13, X-05)', () => {
  const busy = atom('internal', GRANT.origin, GRANT.field)
  const granted: Policy = { ...POLICY, flowGrants: [GRANT] }
  const ask = (policy: Policy, what: Label, change = {}) =>
    why(checkEgress(policy, { ...egress(GRANT.sink, what, GRANT.template), ...change }))

  it('passes exactly the granted field for the granted template, sink and time', () => {
    expect(ask(granted, labelOf([busy]))).toBe('grant:g1')
    expect(ask(granted, labelOf([busy, atom('public'), atom('public', 'tool:y')]))).toBe('clearance+grant:g1')
    expect(ask(granted, label('public'), { sink: 'sink:x:y' })).toBe('public')
    expect(ask(POLICY, labelOf([busy]))).toBe('write_down')
    expect(ask(granted, labelOf([busy]), { template: 'other' })).toBe('write_down')
    expect(ask(granted, labelOf([busy]), { sink: 'sink:github:open_repo' })).toBe('write_down')
    expect(ask(granted, labelOf([busy]), { now: NOW + 1 })).toBe('write_down')
    expect(ask(granted, labelOf([busy, { ...busy, field: 'slots[].title' }]))).toBe('write_down')
    expect(ask({ ...POLICY, flowGrants: [{ ...GRANT, revoked: true }] }, labelOf([busy]))).toBe('write_down')
  })

  it('passes what an allow list would stop, for it is narrower', () => {
    const grant = { ...GRANT, sink: 'sink:notion:bobs' }
    const what = labelOf([{ ...busy, level: 'sensitive' }])
    expect(ask({ ...POLICY, flowGrants: [grant] }, what, { sink: grant.sink })).toBe('grant:g1')
    expect(ask(POLICY, what, { sink: grant.sink })).toBe('sink_not_in_allow_list')
  })

  it('gives an unknown sink nothing', () => {
    const grant = { ...GRANT, sink: 'sink:x:y' }
    expect(ask({ ...POLICY, flowGrants: [grant] }, labelOf([busy]), { sink: 'sink:x:y' })).toBe(
      'sink_unknown',
    )
  })
})

describe('checkRead (A-04, A-21)', () => {
  it.each<[Level, string, string]>([
    ['internal', 'internal', 'clearance'],
    ['internal', 'sensitive', 'ceiling_exceeded'],
    ['sensitive', 'sensitive', 'clearance'],
    ['sensitive', 'regulated', 'ceiling_exceeded'],
    ['regulated', 'regulated:health', 'compartment_missing'],
    ['regulated', 'secret', 'secret_has_no_reader'],
  ])('a task at %s that loads %s: %s', (level, guard, expected) => {
    expect(why(checkRead({ level, compartments: [] }, label(guard)))).toBe(expected)
  })

  it('denies what it cannot read', () => {
    expect(why(checkRead({ level: 'regulated', compartments: 'all' }, MALFORMED))).toBe('policy_failed')
  })
})

describe('checkModel (A-14, D-06)', () => {
  const model = (
    locality: ModelReader['locality'],
    level: Level,
    compartments: Clearance['compartments'] = [],
  ) => ({
    id: 'm',
    locality,
    level,
    compartments,
  })

  it.each<[string, ModelReader, string, string]>([
    ['cloud reads its level', model('cloud', 'internal'), 'internal', 'clearance'],
    ['cloud above its level', model('cloud', 'internal'), 'sensitive', 'model_not_cleared'],
    ['cloud cleared for sensitive', model('cloud', 'sensitive'), 'sensitive', 'clearance'],
    ['cloud never regulated', model('cloud', 'regulated', 'all'), 'regulated', 'model_not_cleared'],
    [
      'cloud never a compartment',
      model('cloud', 'sensitive', [HEALTH]),
      'regulated:health',
      'model_not_cleared',
    ],
    [
      'cloud, whatever its level',
      model('cloud', 'sensitive', [HEALTH]),
      'internal:health',
      'model_not_cleared',
    ],
    ['edge never regulated', model('edge', 'regulated', 'all'), 'regulated', 'model_not_cleared'],
    ['edge reads its level', model('edge', 'internal'), 'internal', 'clearance'],
    ['home reads regulated', model('home', 'regulated', 'all'), 'regulated:health', 'clearance'],
    [
      'home only its compartment',
      model('home', 'regulated', [FINANCE]),
      'regulated:health',
      'compartment_missing',
    ],
    ['home above its level', model('home', 'internal'), 'sensitive', 'model_not_cleared'],
    ['home never secret', model('home', 'secret', 'all'), 'secret', 'secret_has_no_reader'],
    ['cloud never secret', model('cloud', 'secret', 'all'), 'secret', 'secret_has_no_reader'],
  ])('%s', (_, reader, guard, expected) => {
    expect(why(checkModel(reader, label('public', guard)))).toBe(expected)
  })

  it('says which atom, and denies what it cannot read', () => {
    expect(checkModel(model('cloud', 'sensitive'), label('regulated:health'))).toMatchObject({
      facts: { origin: 'tool:x', level: 'regulated:health', cleared: 'sensitive' },
    })
    expect(why(checkModel(model('home', 'regulated'), MALFORMED))).toBe('policy_failed')
  })
})

describe('checkTool', () => {
  it.each<[Place, Level, string, string]>([
    ['edge', 'internal', 'internal', 'clearance'],
    ['edge', 'sensitive', 'sensitive', 'place_not_cleared'],
    ['home', 'sensitive', 'sensitive', 'clearance'],
    ['home', 'internal', 'sensitive', 'ceiling_exceeded'],
    ['home', 'sensitive', 'regulated:health', 'compartment_missing'],
    ['home', 'secret', 'secret', 'secret_has_no_reader'],
  ])('at %s under %s with %s: %s', (place, level, guard, expected) => {
    const reader = { tool: 'mail.send', place, ceiling: { level, compartments: [] } }
    expect(why(checkTool(reader, label(guard)))).toBe(expected)
  })

  it('denies a reader it cannot read', () => {
    const reader = { tool: 't', place: 'home' as const, ceiling: undefined as unknown as Clearance }
    expect(why(checkTool(reader, label('public')))).toBe('policy_failed')
  })
})

describe('checkWrite: the graduated taint rule (A-25 – A-28)', () => {
  const write = (change: Partial<WriteRequest>): WriteRequest => ({
    arguments: [],
    control: [],
    unknownDestinations: 0,
    templateAsks: false,
    ...change,
  })

  it.each<[TaintLevel, boolean, string]>([
    ['raw', false, 'write_raw'],
    ['raw', true, 'write_raw'],
    ['extracted', false, 'structured_only'],
    ['extracted', true, 'write_free_text'],
    ['clean', false, 'clean'],
    ['clean', true, 'clean'],
  ])('%s, free text %s: %s', (level, freeText, expected) => {
    const argument = { taint: taint(level), freeText }
    expect(why(checkWrite(write({ arguments: [argument] })))).toBe(expected)
    const beside = { taint: CLEAN, freeText: false }
    expect(why(checkWrite(write({ arguments: [beside, argument, beside] })))).toBe(expected)
  })

  it.each<[string, Partial<WriteRequest>, string]>([
    ['nothing at all', {}, 'clean'],
    [
      'a raw branch above clean words',
      { arguments: [{ taint: CLEAN, freeText: true }], control: [taint('raw')] },
      'write_raw',
    ],
    [
      'an extracted branch above words',
      { arguments: [{ taint: CLEAN, freeText: true }], control: [taint('extracted')] },
      'write_free_text',
    ],
    [
      'an extracted branch above fields',
      { arguments: [{ taint: CLEAN, freeText: false }], control: [taint('extracted')] },
      'structured_only',
    ],
    ['a raw branch and no arguments', { control: [CLEAN, taint('raw')] }, 'write_raw'],
    [
      'owner words beside an extracted field',
      {
        arguments: [
          { taint: CLEAN, freeText: true },
          { taint: taint('extracted'), freeText: false },
        ],
      },
      'write_free_text',
    ],
    ['an unknown destination', { unknownDestinations: 1 }, 'write_unknown_destination'],
    [
      'a count of destinations that is no count',
      { unknownDestinations: Number.NaN },
      'write_unknown_destination',
    ],
    ['a template that asks', { templateAsks: true }, 'write_template_asks'],
    ['both', { unknownDestinations: 2, templateAsks: true }, 'write_unknown_destination'],
    ['raw first', { control: [taint('raw')], unknownDestinations: 2, templateAsks: true }, 'write_raw'],
    ['unreadable', { control: undefined as unknown as [] }, 'policy_failed'],
  ])('%s: %#', (_, change, expected) => {
    expect(why(checkWrite(write(change)))).toBe(expected)
  })
})

describe('ceilings and relabelling (A-06, A-18, A-19)', () => {
  it.each<[Level, Level | undefined, Level]>([
    ['sensitive', undefined, 'sensitive'],
    ['sensitive', 'public', 'sensitive'],
    ['sensitive', 'sensitive', 'sensitive'],
    ['sensitive', 'regulated', 'regulated'],
    ['public', 'secret', 'secret'],
  ])('kernel %s, tool says %s: %s', (kernel, reported, expected) => {
    expect(applyCeiling(kernel, reported)).toBe(expected)
  })

  it.each([
    ['internal', 'sensitive', 'raised'],
    ['sensitive', 'sensitive', 'raised'],
    ['sensitive', 'internal', 'label_lowered'],
    ['regulated:health', 'regulated', 'label_lowered'],
    ['regulated', 'regulated:health', 'label_lowered'],
  ])('from %s to %s: %s', (from, to, expected) => {
    expect(why(checkRelabel(label(from), label(to)))).toBe(expected)
  })

  it('denies a relabelling it cannot read', () => {
    expect(why(checkRelabel(label('public'), MALFORMED))).toBe('policy_failed')
  })
})
