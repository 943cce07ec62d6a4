/**
 * The guards of what a service may be told of the owner's words (DESIGN §2), as rows of tested-guards.ts, each with the test that must go
 * red. Read there.
 */
import type { Guard } from './controls.ts'

const RULES = 'kernel/call/disclosure.ts'
const VERDICT = 'kernel/call/call-verdict.ts'

type Row = readonly [guard: string, file: string, find: string, replace: string]

const ROWS: readonly Row[] = [
  [
    'a span of the message (`isOwnSpan`)',
    RULES,
    'if (!(await isOwnSpan(input, argument))) return notSaid',
    'if (argument === undefined) return notSaid',
  ],
  ['at most eighty characters', RULES, 'length <= MAX_DISCLOSED', 'length >= 0'],
  ['no text of others', RULES, "if (value.taint.level === 'raw') return notSaid", ';'],
  ['asked about', VERDICT, 'question: telling(input.action), grant }', 'question: null, grant }'],
  [
    'what decides is no word of it',
    VERDICT,
    'if (isDestination(spec) || isDisclosed(spec)) continue',
    'continue',
  ],
  [
    'a grant’s hosts',
    'kernel/flow/grant.ts',
    'shape.hosts.every((host) => grant.hosts.includes(host))',
    'true',
  ],
  [
    'a grant’s arguments',
    'kernel/flow/grant.ts',
    'grant.tool === shape.tool &&\n        sameNames(grant.args, shape.args) &&',
    'grant.tool === shape.tool &&',
  ],
  [
    'on record',
    'kernel/pipeline/authorize.ts',
    "if (used && question?.code === 'disclosure_asks')",
    'if (used && question === null)',
  ],
  [
    'hosts on the card',
    'kernel/features/approvals/card/card.ts',
    'if (tellsHosts(action)) return tell(',
    'if (!tellsHosts(action)) return tell(',
  ],
  [
    'hosts that have names',
    'kernel/tool/registry.ts',
    'if (argument !== null) throw',
    'if (argument === action.id) throw',
  ],
]

export const DISCLOSURE_GUARDS: readonly Guard[] = ROWS.map(([guard, file, find, replace]) => ({
  guard: `disclosed words: ${guard}`,
  tests: ['test/pipeline/disclosure.test.ts'],
  patches: [{ file, find, replace }],
}))
