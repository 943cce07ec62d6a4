/** What a planner sees of a record: values of safe kinds, handles for the rest, no stranger's string (C-06, X-02). */
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldSpec } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { createRecord, metadata, metadataProvenance, restoreRecord } from '../../kernel/flow/record.ts'
import { label, must, taint } from './fixtures.ts'
import { OUTPUT, SOURCE } from './mail.ts'

const record = must(createRecord(SOURCE, OUTPUT))

describe('metadata: what a planner sees (C-06, X-02)', () => {
  it('is numbers, dates, booleans, enums and lengths by value, and handles for the rest', () => {
    expect(metadata(record, 'step1')).toEqual({
      emails: {
        count: 1,
        items: [
          {
            id: { ref: 'step1.emails[0].id', kind: 'id', size: 'line' },
            from: { ref: 'step1.emails[0].from', kind: 'email', size: 'line' },
            link: { ref: 'step1.emails[0].link', kind: 'url', size: 'line' },
            at: '2026-11-01',
            status: 'unread',
            subject: { ref: 'step1.emails[0].subject', kind: 'text', size: 'line' },
            busy: true,
            pulse: 60,
          },
        ],
      },
      total: 1,
    })
  })

  it('is a handle of three facts where nothing more is known', () => {
    const made = must(createRecord({ ...SOURCE, spec: { kind: 'id' } }, 'x'))
    expect(metadata(made, 's')).toStrictEqual({ ref: 's', kind: 'id', size: 'line' })
    expect(metadata(made, 's', () => ({ rank: 1 }))).toStrictEqual({
      ref: 's',
      kind: 'id',
      size: 'line',
      rank: 1,
    })
  })

  it('shows no optional field that is not there', () => {
    const one = { ...OUTPUT.emails[0], link: null, pulse: undefined }
    const shown = JSON.stringify(metadata(must(createRecord(SOURCE, { emails: [one], total: 1 })), 's'))
    expect(shown).not.toMatch(/link|pulse/)
  })

  it('never holds a stranger’s string, whatever it is', () => {
    const text = fc.string({ minLength: 4, unit: 'grapheme' })
    fc.assert(
      fc.property(text, fc.stringMatching(/^[!-~]{4,40}$/), (subject, id) => {
        const emails = [{ ...OUTPUT.emails[0], subject: `§${subject}`, id: `zq-${id}` }]
        const shown = inspect(metadata(must(createRecord(SOURCE, { emails, total: 1 })), 's'), { depth: 9 })
        expect(shown).not.toContain('§')
        expect(shown).not.toContain('zq-')
        expect(shown).not.toMatch(/evil/)
      }),
    )
  })

  it.each<[number, string]>([
    [0, 'empty'],
    [1, 'line'],
    [80, 'line'],
    [81, 'page'],
    [2_000, 'page'],
    [2_001, 'long'],
  ])('tells a length of %d only as %s', (length, size) => {
    const made = must(createRecord({ ...SOURCE, spec: { kind: 'text' } }, 'x'.repeat(length)))
    expect(metadata(made, 's')).toEqual({ ref: 's', kind: 'text', size })
  })

  it('adds what the owner already knows, and nothing else', () => {
    const facts = metadata(record, 's', (value, kind) =>
      Object.assign(kind === 'email' ? { known: 'Sarah', rank: 2 } : {}, { ref: value, quote: value }),
    )
    expect(inspect(facts, { depth: 9 })).not.toMatch(/evil/i)
    expect(facts).toMatchObject({
      emails: { items: [{ from: { ref: 's.emails[0].from', kind: 'email', known: 'Sarah', rank: 2 } }] },
    })
    const asked: string[] = []
    metadata(record, 's', (value, kind) => {
      asked.push(`${kind}=${value}`)
      return {}
    })
    expect(asked).toContain('email=evil@example.org')
  })

  it('hides a stored value that a newer declaration would show', () => {
    const spec: FieldSpec = { kind: 'record', fields: { status: { kind: 'enum', values: ['read'] } } }
    const restored = restoreRecord({ ...SOURCE, spec }, { status: 'Evil words' })
    expect(metadata(restored, 's')).toEqual({ status: { ref: 's.status', kind: 'enum', size: 'line' } })
  })

  it.each<[FieldSpec, Json, unknown]>([
    [{ kind: 'list', of: { kind: 'number' }, max: 3 }, [1, 2], { count: 2, items: [1, 2] }],
    [{ kind: 'list', of: { kind: 'number' }, max: 3 }, 'Evil', { count: 0, items: [] }],
    [{ kind: 'record', fields: { n: { kind: 'number' } } }, { n: null, x: 1 }, { n: null }],
    [{ kind: 'record', fields: Object.fromEntries([['toString', { kind: 'number' }]]) }, {}, {}],
    [{ kind: 'boolean' }, false, false],
  ])('of %j with %j', (spec, value, expected) => {
    expect(metadata(restoreRecord({ ...SOURCE, spec }, value), 's')).toEqual(expected)
  })

  it('bears the label of all it is derived from, and no raw taint (A-20)', () => {
    expect(metadataProvenance(record)).toEqual({
      label: record.label,
      taint: { level: 'extracted', origins: ['tool:email.list'], touchedBy: ['tool:email.list'] },
    })
    const texts = must(createRecord({ ...SOURCE, spec: { kind: 'text' } }, 'Evil'))
    expect(describeLabel(metadataProvenance(texts).label)).toBe('sensitive')
    expect(metadataProvenance(texts).taint.level).toBe('extracted')
    const own = must(createRecord({ ...SOURCE, taint: 'clean' }, OUTPUT))
    expect(metadataProvenance(own).taint.level).toBe('clean')
    const fed = must(
      createRecord({ ...SOURCE, inputs: { label: label('secret'), taint: taint('raw') } }, OUTPUT),
    )
    expect(describeLabel(metadataProvenance(fed).label)).toBe('secret:health')
    expect(metadataProvenance(fed).taint).toMatchObject({
      level: 'raw',
      origins: ['origin:raw', 'tool:email.list'],
    })
  })
})
