/**
 * The guards that the controls take away, each as a change of exact source text, and the suites that must notice; those that
 * only tests notice stand in tested-guards.ts. A text that does not stand exactly once in its file stops the control. Called
 * by controls.ts.
 */
import { ANSWER_GUARDS } from './answer-guards.ts'
import type { Guard } from './controls.ts'
import { JOB_GUARDS } from './job-guards.ts'
import { TESTED_GUARDS } from './tested-guards.ts'

const POLICY = 'kernel/flow/policy.ts'
const RECORD = 'kernel/flow/record.ts'
const VERDICT = 'kernel/call/call-verdict.ts'
const CAPABILITY = 'kernel/task/capability.ts'
const UNIT = 'kernel/wording/guard/unit.ts'
const SECRETS = 'kernel/wording/guard/secrets.ts'

const ATTACKED: readonly Guard[] = [
  {
    guard: 'handles in place of strings, for planners',
    suites: ['T1'],
    patches: [
      {
        file: RECORD,
        find: 'return handleFor(spec.kind, String(value), ref, describe)',
        replace: 'return value as Metadata',
      },
    ],
  },
  {
    guard: 'no answers in a planner’s history',
    suites: ['T1'],
    patches: [
      {
        file: 'kernel/model-call/planner-view.ts',
        find: "words.taint.level === 'clean' ? [{ ref: words, prefix: answer === null ?",
        replace:
          "true ? [words, ...(answer === null ? [] : [answer])].map((ref) => ({ ref, prefix: '' })) : words.taint.level === 'clean' ? [{ ref: words, prefix: answer === null ?",
      },
    ],
  },
  {
    guard: 'text never decays (`taintOfLeaves`)',
    suites: ['T2'],
    patches: [
      {
        file: RECORD,
        find: '...(text ? [taint] : [])',
        replace: '...(text ? [decayField(taint, source.origin)] : [])',
      },
    ],
  },
  {
    guard: 'what a service is told stands in the owner’s message (`disclosureOf`)',
    suites: ['T2'],
    stride: 10,
    patches: [
      {
        file: 'kernel/call/disclosure.ts',
        find: "value.taint.level === 'raw') return notSaid",
        replace: "value.taint.level === 'clean' && told.length > 99) return notSaid",
      },
      {
        file: 'kernel/call/disclosure.ts',
        find: 'if (!(await isOwnSpan(input, argument))) return notSaid',
        replace: 'if (argument === undefined) return notSaid',
      },
    ],
  },
  {
    guard: 'fields decay to extracted and no further (`decayField`)',
    suites: ['T4'],
    stride: 10,
    patches: [
      {
        file: 'kernel/flow/taint.ts',
        find: "{ ...taint, level: 'extracted' }",
        replace: "{ ...taint, level: 'clean' }",
      },
    ],
  },
  {
    guard: 'labels of a record’s fields (`atomFor`)',
    suites: ['T2'],
    patches: [
      { file: RECORD, find: 'level: applyCeiling(kernelLevel, source.reported)', replace: "level: 'public'" },
    ],
  },
  {
    guard: 'a composed text bears what was read',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/pipeline/compose.ts',
        find: 'receive(endAtWord(whole, step.maxChars, true), provenance)',
        replace:
          "receive(endAtWord(whole, step.maxChars, true), { ...provenance, taint: { level: 'clean', origins: [], touchedBy: [] } })",
      },
    ],
  },
  {
    guard: 'the destination rule (`unknownDestinations`)',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/call/call-verdict.ts',
        find: 'if (!(await isTypedByOwner(powers, task, argument))) strange.push(argument)',
        replace: 'await isTypedByOwner(powers, task, argument)',
      },
    ],
  },
  {
    guard: 'the taint rule of writes (`checkWrite`)',
    suites: ['T2'],
    patches: [
      { file: POLICY, find: "if (level === 'raw') return deny('write_raw')", replace: '' },
      { file: POLICY, find: "if (level !== 'clean' && request", replace: 'if (level === null && request' },
    ],
  },
  {
    // Two walls: with either of them the other one's absence changes nothing that an attack could use.
    guard: 'a write asks: its template, and what a planner made up',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/call/values/literals.ts',
        find: 'if (OURS.includes(planner) || (await isTyped(powers, task, value))) return ok(value)',
        replace: 'if (await isTyped(powers, task, value)) return ok(value)\n  return ok(value)',
      },
      { file: POLICY, find: "if (request.templateAsks) return deny('write_template_asks')", replace: '' },
    ],
  },
  {
    guard: 'the sink of a write (`checkSink`, `checkEgress`)',
    suites: ['T2'],
    patches: [
      {
        file: VERDICT,
        find: "action.semantics === 'write' ? checkSink(input, control.label) : null",
        replace: 'null',
      },
    ],
  },
  {
    guard: 'what a service may see (`checkReach`)',
    suites: ['T5'],
    patches: [
      {
        file: VERDICT,
        find: 'for (const verdict of [reach, flow]) {',
        replace: 'for (const verdict of [flow]) {',
      },
    ],
  },
  {
    guard: 'a condition is guarded like an argument',
    suites: ['T5'],
    patches: [{ file: VERDICT, find: 'if (!made.allow) return made', replace: '' }],
  },
  {
    guard: 'a second plan bears what it was decided by (`controlAbove`)',
    suites: ['T5'],
    patches: [
      {
        file: 'kernel/call/values/select.ts',
        find: 'planned !== null && resumed !== undefined && index >= resumed ? [planned] : []',
        replace: 'planned !== null && resumed === -1 ? [planned] : []',
      },
    ],
  },
  {
    guard: 'the release to a sink (`openForSink`)',
    suites: ['T5'],
    patches: [
      {
        file: 'kernel/flow/labeled.ts',
        find: 'openIf(checkEgress(policy, { ...request, label: labeled.label }), labeled)',
        replace: "openIf({ allow: true, by: 'nothing' }, labeled)",
      },
    ],
  },
  {
    guard: 'what leaves home for the edge (`PLACE_CLEARANCE`, `releaseToPlace`)',
    suites: ['T5'],
    patches: [
      {
        file: 'kernel/features/models/serve.ts',
        find: 'ceiling: PLACE_CLEARANCE.edge,',
        replace: "ceiling: { level: 'regulated', compartments: ['health'] },",
      },
      {
        file: 'kernel/features/deliveries/deliver.ts',
        find: 'return openForSink(value, powers.policy(), { ...to, now: powers.now() })',
        replace: 'return ok(insideOf(value))',
      },
      {
        file: 'kernel/features/deliveries/deliver.ts',
        find: "import { type Labeled, openForSink } from '../../flow/labeled.ts'",
        replace: "import { insideOf, type Labeled, openForSink } from '../../flow/labeled.ts'",
      },
    ],
  },
  {
    guard: 'which model may read what (`checkModel`)',
    suites: ['T5'],
    patches: [
      {
        file: POLICY,
        find: "return checkClearance(model, label, 'model_not_cleared')",
        replace: "return permit('nothing')",
      },
    ],
  },
  {
    guard: 'what is read through a choice bears the choice (`bearing`, `controlAbove`)',
    suites: ['T6'],
    stride: 13,
    patches: [
      {
        file: 'kernel/call/resolve.ts',
        find: 'bearing(await valueAt(powers, task, target.value), target.value.chosen)',
        replace: 'bearing(await valueAt(powers, task, target.value), [])',
      },
      { file: 'kernel/call/values/select.ts', find: 'return [step.from, step.id]', replace: 'return []' },
    ],
  },
  {
    guard: 'what is picked from bears on what follows (`controlAbove`)',
    suites: ['T6'],
    stride: 13,
    patches: [{ file: 'kernel/call/values/select.ts', find: 'return inputsOf(step)', replace: 'return []' }],
  },
  {
    guard: 'a planner sees of such a step that it is planned (`unseenSteps`)',
    suites: ['T6'],
    patches: [
      {
        file: 'kernel/model-call/planner-view.ts',
        find: "fields: receive({ result: { ref: step.id, kind: 'unseen' } }, kernelWords()),",
        replace: 'fields: receive({ found: results[step.id]?.kind ?? null }, kernelWords()),',
      },
    ],
  },
  {
    guard: 'a value stands in its source (`findValue`)',
    tests: ['test/task/value.test.ts', 'test/pipeline/value-verbs.test.ts'],
    patches: [
      {
        file: 'kernel/call/values/value.ts',
        find: 'if (at === null) return null',
        replace: 'if (at === null) return { value: quote, around: quote }',
      },
    ],
  },
  {
    guard: 'words that were looked up go to nobody else (`hasWordsOfText`)',
    tests: ['test/pipeline/value-verbs.test.ts'],
    patches: [
      {
        file: 'kernel/call/disclosure.ts',
        find: "return result?.kind === 'value' && result.is === 'text'",
        replace: "return result?.kind === 'value' && result.is === 'none'",
      },
    ],
  },
  {
    guard: 'an approval is of these bytes (`spend`)',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/task/approval.ts',
        find: "if (approval.digest !== spending.digest) return err('approval_changed', facts)",
        replace: '',
      },
    ],
  },
  {
    guard: 'no card hides a part of what runs (`secret_in_call`)',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/pipeline/ask.ts',
        find: 'if (test(card, (text) => holdsSecret(powers, text)))',
        replace: "if (test(card, (text) => text === ''))",
      },
    ],
  },
  {
    guard: 'a token’s signature',
    suites: ['T2'],
    patches: [
      {
        file: CAPABILITY,
        find: "if (!isSame(mac, macOf(claims, key))) return deny('token_forged')",
        replace: 'macOf(claims, key)',
      },
    ],
  },
  {
    guard: 'a token is for these arguments',
    suites: ['T2'],
    patches: [
      {
        file: CAPABILITY,
        find: "if (claims.argsDigest !== digestOf(use.args)) return deny('token_wrong_arguments')",
        replace: '',
      },
    ],
  },
  {
    guard: 'a token is used once (`spendToken`)',
    suites: ['T2'],
    patches: [
      { file: CAPABILITY, find: 'if (!(use.used < claims.maxInvocations))', replace: 'if (use.used < 0)' },
      { file: 'kernel/call/run-call.ts', find: 'return counted ?', replace: 'return counted || true ?' },
    ],
  },
  {
    guard: 'the template’s own tools (`checkPlan`, `authorize`)',
    suites: ['T2'],
    patches: [
      {
        file: 'kernel/pipeline/check-plan.ts',
        find: 'if (!template.tools.includes(step.tool))',
        replace: 'if (template.tools.length < 0)',
      },
      {
        file: 'kernel/pipeline/authorize.ts',
        find: 'if (template === undefined || !task.tools.includes(step.tool)) {',
        replace: 'if (template === undefined) {',
      },
    ],
  },
  {
    guard: 'no write twice (`sameWriteBefore`)',
    suites: ['T2'],
    patches: [
      { file: 'kernel/pipeline/authorize.ts', find: 'if (first !== null)', replace: "if (first === '')" },
    ],
  },
  {
    guard: 'a tool’s refusal is in our words (`inOurWords`)',
    suites: ['T4'],
    patches: [
      {
        file: 'kernel/call/run-call.ts',
        find: 'if (outcome.ok) return outcome',
        replace: 'if (outcome !== null) return outcome',
      },
    ],
  },
  {
    guard: 'the guard of answers',
    suites: ['T3'],
    patches: [
      {
        file: 'kernel/pipeline/synthesize.ts',
        find: 'const written = guarded({ answer: receive(text, provenance), cut }, read, { ...judged, byCode })',
        replace: 'const written = (({ answer }) => answer)({ answer: receive(text, provenance), cut })',
      },
    ],
  },
  {
    guard: 'the guard of an answer while it is written (`draftsOf`)',
    suites: ['T3'],
    patches: [
      {
        file: 'kernel/features/deliveries/draft.ts',
        find: 'createGuardStream(contextFor(judged, read, opened)).push(String(said)),',
        replace: 'String(said),',
      },
    ],
  },
  {
    guard: 'imitations of cards (`unmask`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'unmask(breakMarkup(linked, addresses))',
        replace: 'breakMarkup(linked, addresses)',
      },
    ],
  },
  {
    guard: 'the marker (`removeMarker`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'removeMarker(scrubSecrets(plainText(raw), known), own)',
        replace: 'scrubSecrets(plainText(raw), known)',
      },
    ],
  },
  {
    guard: 'secrets by their value (`known.find`)',
    suites: ['T3'],
    patches: [
      { file: SECRETS, find: '[...known.find(text), ...findTokens(text)]', replace: 'findTokens(text)' },
    ],
  },
  {
    guard: 'secrets by their shape (`findTokens`)',
    suites: ['T3'],
    patches: [
      { file: SECRETS, find: '[...known.find(text), ...findTokens(text)]', replace: 'known.find(text)' },
    ],
  },
  {
    guard: 'names of the inside (`removeNames`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'removeNames(removePromptLines(plain, own, judge.runs), own, judge.isRead)',
        replace: 'removePromptLines(plain, own, judge.runs)',
      },
    ],
  },
  {
    guard: 'lines of the prompts (`removePromptLines`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'removeNames(removePromptLines(plain, own, judge.runs), own, judge.isRead)',
        replace: 'removeNames(plain, own, judge.isRead)',
      },
    ],
  },
  {
    guard: 'who speaks (`keepIdentity`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'keepIdentity(text, judge.others, { name: judge.own.name, draft: draftIn(text) })',
        replace: 'text',
      },
    ],
  },
  {
    guard: 'claims of deeds (`removeClaims`)',
    suites: ['T3'],
    patches: [
      {
        file: UNIT,
        find: 'return judge.byCode ? kept : removeClaims(kept, judge, draftIn(kept))',
        replace: 'return kept',
      },
    ],
  },
  {
    guard: 'addresses (`guardAddresses`)',
    suites: ['T3'],
    patches: [
      { file: UNIT, find: 'guardAddresses(showTargets(voiced), addresses)', replace: 'showTargets(voiced)' },
    ],
  },
  {
    guard: 'markup (`breakMarkup`)',
    suites: ['T3'],
    patches: [{ file: UNIT, find: 'unmask(breakMarkup(linked, addresses))', replace: 'unmask(linked)' }],
  },
  {
    guard: 'hidden characters (`plainText`)',
    suites: ['T3'],
    patches: [
      { file: UNIT, find: 'scrubSecrets(plainText(raw), known)', replace: 'scrubSecrets(raw, known)' },
    ],
  },
]

export const GUARDS: readonly Guard[] = [...ATTACKED, ...ANSWER_GUARDS, ...TESTED_GUARDS, ...JOB_GUARDS]
