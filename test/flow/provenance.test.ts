/** Labels at receipt: one row a source (A-08 – A-17), and the owner's and strangers' own words (X-05). */
import { describe, expect, it } from 'vitest'
import { describeLabel, levelOf, PUBLIC } from '../../kernel/flow/label.ts'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { checkEgress } from '../../kernel/flow/policy.ts'
import {
  kernelWords,
  ownerWords,
  PROVENANCE_SOURCES,
  provenanceOf,
  receive,
  strangerWords,
} from '../../kernel/flow/provenance.ts'
import { egress, POLICY, why } from './fixtures.ts'

const ROWS: readonly (readonly [string, string])[] = [
  ['public_page', 'public'],
  ['third_party_message', 'internal'],
  ['member_message', 'internal'],
  ['paired_message', 'internal'],
  ['mail_body', 'sensitive'],
  ['health_export', 'regulated:health'],
  ['calendar_details', 'sensitive'],
  ['calendar_freebusy', 'internal'],
  ['credential', 'secret'],
  ['webhook_payload', 'sensitive'],
  ['github_content', 'sensitive'],
  ['notion_page', 'sensitive'],
  ['owner_quoted', 'sensitive'],
]

describe('provenanceOf', () => {
  it.each(ROWS)('%s is %s and raw', (source, expected) => {
    const made = provenanceOf(source, 'peer:1', 'body')
    expect(describeLabel(made.label)).toBe(expected)
    expect(made.label.atoms).toMatchObject([{ origin: 'peer:1', field: 'body' }])
    expect(made.taint).toEqual({ level: 'raw', origins: ['peer:1'], touchedBy: [] })
  })

  it('has these rows and no others, each frozen', () => {
    expect(PROVENANCE_SOURCES).toEqual(ROWS.map(([source]) => source))
    expect(Object.isFrozen(PROVENANCE_SOURCES)).toBe(true)
  })

  it.each(['unheard_of', '', 'Public_page', '__proto__', 'constructor', 'toString'])(
    'an unlisted source (%j) is sensitive and raw, never public (A-17)',
    (source) => {
      const made = provenanceOf(source, 'o')
      expect(made.label.atoms).toEqual([{ origin: 'o', field: '*', level: 'sensitive', compartment: null }])
      expect(made.taint.level).toBe('raw')
    },
  )
})

describe('words', () => {
  it('of the owner are clean, at the clearance of the line', () => {
    const made = ownerWords('sink:telegram:open', 'internal')
    expect(made.label.atoms).toEqual([
      { origin: 'chat:sink:telegram:open', field: 'words', level: 'internal', compartment: null },
    ])
    expect(made.taint).toEqual({ level: 'clean', origins: ['chat:sink:telegram:open'], touchedBy: [] })
    expect(levelOf(ownerWords('sink:console:owner', 'sensitive').label)).toBe('sensitive')
  })

  it('of a stranger are internal, raw, and may return to that chat alone', () => {
    const { label, taint } = strangerWords('sink:whatsapp:stranger', 'third_party_message')
    expect(label.atoms).toEqual([
      { origin: 'chat:sink:whatsapp:stranger', field: 'words', level: 'internal', compartment: null },
    ])
    expect(taint.level).toBe('raw')
    expect(why(checkEgress(POLICY, egress('sink:whatsapp:stranger', label)))).toBe('own_words')
    expect(why(checkEgress(POLICY, egress('sink:github:open_repo', label)))).toBe('write_down')
  })

  it('of the kernel are public and clean', () => {
    expect(kernelWords()).toEqual({
      label: PUBLIC,
      taint: { level: 'clean', origins: ['kernel'], touchedBy: [] },
    })
  })

  it('are received with the label of their source', () => {
    const from = provenanceOf('mail_body', 'tool:mail')
    const labeled = receive('hello', from)
    expect([labeled.label, labeled.taint, insideOf(labeled)]).toEqual([from.label, from.taint, 'hello'])
  })
})
