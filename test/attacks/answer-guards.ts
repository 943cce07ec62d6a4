/**
 * The guards that stand between a tool's hostile answer and another tool's call: each is taken out, and the tools' suite must notice.
 * Read by guards.ts.
 */
import type { Guard } from './controls.ts'

/** Each that many pairs; a prime. A run ends with the first pair that shows it. */
const STRIDE = 19
const FEW = 331

type Row = readonly [guard: string, patches: Guard['patches'], stride?: number]

const one = (file: string, find: string, replace: string): Guard['patches'] => [{ file, find, replace }]

const VERDICT = 'kernel/call/call-verdict.ts'

const ROWS: readonly Row[] = [
  [
    'handles in place of strings, for planners',
    one(
      'kernel/flow/record.ts',
      'return handleFor(spec.kind, String(value), ref, describe)',
      'return value as Metadata',
    ),
  ],
  [
    'what was not declared is not taken (`matchesKind`)',
    one(
      'kernel/flow/field.ts',
      'return matchesKind(spec, input) ? ok(input) : malformed',
      'return ok(input)',
    ),
    // Each answer is judged beside the pairs.
    FEW,
  ],
  [
    'the taint rule of writes (`checkWrite`)',
    one('kernel/flow/policy.ts', "if (level === 'raw') return deny('write_raw')", '').concat(
      one(
        'kernel/flow/policy.ts',
        "if (request.templateAsks) return deny('write_template_asks')",
        "if (request.templateAsks && level === 'clean') return deny('write_template_asks')",
      ),
      one('kernel/flow/policy.ts', "if (level !== 'clean' && request", 'if (level === null && request'),
    ),
  ],
  [
    'an id of another tool names nothing here (`isNamedByOwn`)',
    one(
      'kernel/call/taken-back.ts',
      'call.args.every(({ value }) => isNamedByOwn(action, value))',
      'call.args.every(({ value }) => isNamedByOwn(action, value) || true)',
    ),
  ],
  [
    'what everyone reads holds what the owner typed alone (`hasOtherReaders`)',
    one(VERDICT, "return target !== undefined || reaches === 'public'", 'return target !== undefined'),
  ],
  [
    'what a service is told stands in the owner’s message (`disclosureOf`)',
    one(
      'kernel/call/disclosure.ts',
      "value.taint.level === 'raw') return notSaid",
      "value.taint.level === 'clean' && told.length > 99) return notSaid",
    ).concat(
      one(
        'kernel/call/disclosure.ts',
        'if (!(await isOwnSpan(input, argument))) return notSaid',
        'if (argument === undefined) return notSaid',
      ),
    ),
  ],
  [
    'the destination rule (`unknownDestinations`)',
    one(
      VERDICT,
      'if (!(await isTypedByOwner(powers, task, argument))) strange.push(argument)',
      'await isTypedByOwner(powers, task, argument)',
    ),
  ],
  [
    'the template’s own tools (`checkPlan`, `authorize`)',
    one(
      'kernel/pipeline/check-plan.ts',
      'if (!template.tools.includes(step.tool))',
      'if (template.tools.length < 0)',
    ).concat(
      one(
        'kernel/pipeline/authorize.ts',
        'if (template === undefined || !task.tools.includes(step.tool)) {',
        'if (template === undefined) {',
      ),
    ),
  ],
]

export const ANSWER_GUARDS: readonly Guard[] = ROWS.map(([guard, patches, tools = STRIDE]) => ({
  guard: `answers of tools: ${guard}`,
  tools,
  patches,
}))
