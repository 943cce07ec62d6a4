/** Laws that no example can show: more provenance never opens a door, and nothing computed is lower than its inputs. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clears } from '../../kernel/flow/clearance.ts'
import { isAtOrBelow, joinLabels } from '../../kernel/flow/label.ts'
import { combine, createLabeled, derive } from '../../kernel/flow/labeled.ts'
import { checkEgress, checkRead, checkWrite } from '../../kernel/flow/policy.ts'
import { TAINT_LEVELS } from '../../kernel/flow/taint.ts'
import { anyLabel, atom, EVERY_CLEARANCE, grant, taint } from './arbitraries.ts'
import { egress, GRANT, POLICY, SINKS } from './fixtures.ts'

const anySink = fc.constantFrom(...SINKS.map(({ id }) => id), 'sink:x:y')
const clearance = fc.constantFrom(...EVERY_CLEARANCE)
const provenance = fc.record({ label: anyLabel, taint })

describe('egress', () => {
  it('never turns from no to yes when more provenance joins', () => {
    fc.assert(
      fc.property(anyLabel, anyLabel, anySink, fc.array(grant, { maxLength: 3 }), (a, b, to, flowGrants) => {
        const policy = { ...POLICY, flowGrants }
        const joined = checkEgress(policy, egress(to, joinLabels(a, b), GRANT.template))
        const alone = checkEgress(policy, egress(to, a, GRANT.template))
        expect(!joined.allow || alone.allow).toBe(true)
      }),
    )
  })

  it('lets nothing past a sink but by its clearance, its own words or a live grant', () => {
    fc.assert(
      fc.property(anyLabel, anySink, (label, id) => {
        fc.pre(checkEgress(POLICY, egress(id, label)).allow)
        const sink = SINKS.find((each) => each.id === id)
        const lawful = label.atoms.every(
          (each) => each.level === 'public' || each.origin === `chat:${id}` || (sink && clears(sink, each)),
        )
        expect(lawful).toBe(true)
      }),
    )
  })
})

describe('reading', () => {
  it('never becomes lawful by a join', () => {
    fc.assert(
      fc.property(anyLabel, anyLabel, clearance, (a, b, reader) => {
        expect(!checkRead(reader, joinLabels(a, b)).allow || checkRead(reader, a).allow).toBe(true)
      }),
    )
  })

  it('by more never reads less', () => {
    fc.assert(
      fc.property(atom, clearance, clearance, (each, a, b) => {
        const both = { ...a, compartments: 'all' as const }
        expect(!clears(a, each) || clears(both, each)).toBe(true)
        expect(!clears(b, each) || clears({ level: 'regulated', compartments: b.compartments }, each)).toBe(
          true,
        )
      }),
    )
  })
})

describe('writing', () => {
  it('never becomes automatic by one more argument or branch', () => {
    const argument = fc.record({ taint, freeText: fc.boolean() })
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 3 }), argument, taint, (args, extra, control) => {
        const request = { arguments: args, control: [], unknownDestinations: 0, templateAsks: false }
        const before = checkWrite(request).allow
        expect(before || !checkWrite({ ...request, arguments: [...args, extra] }).allow).toBe(true)
        expect(before || !checkWrite({ ...request, control: [control] }).allow).toBe(true)
      }),
    )
  })
})

describe('computing on the inside', () => {
  it('keeps label and taint, whatever is computed', () => {
    fc.assert(
      fc.property(fc.string(), provenance, (value, from) => {
        const made = derive(createLabeled(value, from), (text) => text.length)
        expect([made.label, made.taint]).toEqual([from.label, from.taint])
      }),
    )
  })

  it('over several never lowers any', () => {
    fc.assert(
      fc.property(fc.array(provenance, { minLength: 1, maxLength: 4 }), (parts) => {
        const made = combine(
          parts.map((part) => createLabeled('x', part)),
          (values) => values.join(''),
        )
        for (const part of parts) {
          expect(isAtOrBelow(part.label, made.label)).toBe(true)
          expect(TAINT_LEVELS.indexOf(made.taint.level)).toBeLessThanOrEqual(
            TAINT_LEVELS.indexOf(part.taint.level),
          )
        }
      }),
    )
  })
})
