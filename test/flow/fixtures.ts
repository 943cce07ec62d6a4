/**
 * Sinks, policies and short makers that the tests of `kernel/flow` share. Holds no expectation: what a check
 * must answer stands in the test that asks it. Called by `test/flow/*.test.ts`.
 */
import type { FlowGrant } from '../../kernel/flow/grant.ts'
import { type Atom, type Label, labelOf } from '../../kernel/flow/label.ts'
import { type Compartment, type Level, parseCompartment } from '../../kernel/flow/level.ts'
import type { EgressRequest, Policy } from '../../kernel/flow/policy.ts'
import type { Sink } from '../../kernel/flow/sink.ts'
import { type Taint, type TaintLevel, taintOf } from '../../kernel/flow/taint.ts'
import type { Result, Verdict } from '../../kernel/flow/verdict.ts'

export const OWNER = 'owner'
export const NOW = 1_000

export function compartment(name: string): Compartment {
  const parsed = parseCompartment(name)
  if (!parsed.ok) throw new Error(`bad fixture: ${name}`)
  return parsed.value
}

export const HEALTH = compartment('health')
export const FINANCE = compartment('finance')

/** `atom('regulated:health')`: level, then compartment. */
export function atom(guard: string, origin = 'tool:x', field = 'f'): Atom {
  const [level, name] = guard.split(':')
  return { origin, field, level: level as Level, compartment: name ? compartment(name) : null }
}

export function label(...guards: readonly string[]): Label {
  return labelOf(guards.map((guard) => atom(guard)))
}

export function taint(level: TaintLevel): Taint {
  return taintOf(level, `origin:${level}`)
}

export function sink(id: string, level: Level, rest: Partial<Sink> = {}): Sink {
  return { id, level, compartments: [], place: 'home', principal: OWNER, audience: 'sole', ...rest }
}

/** The kinds of sink of A-40, one each. */
export const SINKS: readonly Sink[] = [
  sink('sink:telegram:owner', 'sensitive', { compartments: [HEALTH] }),
  sink('sink:slack_dm:owner', 'sensitive'),
  sink('sink:console:owner', 'sensitive', { compartments: [HEALTH, FINANCE] }),
  sink('sink:telegram:open', 'internal', { place: 'edge' }),
  sink('sink:telegram:bob', 'internal', { place: 'edge', principal: 'bob' }),
  sink('sink:whatsapp:stranger', 'public', { principal: 'stranger' }),
  sink('sink:notion:work', 'sensitive', { audience: 'many' }),
  sink('sink:notion:bobs', 'sensitive', { principal: 'bob', audience: 'many' }),
  sink('sink:github:open_repo', 'public', { audience: 'many' }),
  sink('sink:github:closed_repo', 'internal', { audience: 'many' }),
]

/** The allow lists of A-41. */
export const POLICY: Policy = {
  owner: OWNER,
  sinks: SINKS,
  allowLists: [
    {
      guard: 'sensitive',
      patterns: ['sink:telegram:owner', 'sink:slack_dm:owner', 'sink:console:*', 'sink:notion:*'],
    },
    { guard: 'regulated:health', patterns: ['sink:telegram:owner'] },
    { guard: 'secret', patterns: [] },
  ],
  flowGrants: [],
  writeGrants: [],
  linkedChats: [],
}

export const GRANT: FlowGrant = {
  id: 'g1',
  template: 'scheduling',
  origin: 'tool:calendar.freebusy',
  field: 'slots[].busy',
  sink: 'sink:whatsapp:stranger',
  expiresAt: NOW + 1,
  revoked: false,
}

export function egress(to: string, what: Label, template = 'owner_private'): EgressRequest {
  return { label: what, sink: to, template, now: NOW }
}

/** The rule that allowed, or the code that refused. */
export function why(verdict: Verdict): string {
  return verdict.allow ? verdict.by : verdict.code
}

/** `ok`, or the code that refused. */
export function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : result.reason.code
}

/** The value of a result that the test needs to be good. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.reason.code}`)
  return result.value
}
