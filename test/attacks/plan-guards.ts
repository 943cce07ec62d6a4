/**
 * The guards of plan mode (P-19), as rows of tested-guards.ts, each with the tests that must go red: that a
 * plan waits for its own yes, that this is to that very plan, once, and to nothing else, and that no planner
 * has a word on its card. Read there.
 */
import type { Guard } from './controls.ts'

const MACHINE = 'test/machine/machine-plan-mode.test.ts'
const WHOLE = 'test/pipeline/plan-mode.test.ts'
const DIGEST = 'test/pipeline/plan-mode-digest.test.ts'
const CARD = 'test/wording/plan-card.test.ts'

const SHOW = 'kernel/features/plan-mode/show-plan.ts'
const PLAN_CARD = 'kernel/features/plan-mode/plan-card.ts'
const EXECUTE = 'kernel/machine/execute.ts'

type Row = readonly [guard: string, file: string, find: string, replace: string, ...tests: string[]]

const ROWS: readonly Row[] = [
  [
    'no step before its yes (`begin`)',
    'kernel/machine/machine.ts',
    'return shows ? toShowing(task, from, null) : enterStep(task, from)',
    'return shows && from > 99 ? toShowing(task, from, null) : enterStep(task, from)',
    ...[MACHINE, 'test/machine/machine-laws.test.ts', WHOLE],
  ],
  [
    'what writes is shown (`isWorthShowing`)',
    SHOW,
    ' || steps.some(writes)',
    ' || steps.some((one) => !writes(one))',
    WHOLE,
  ],
  [
    'what has several steps is shown (`isWorthShowing`)',
    SHOW,
    'steps.length > 1 ||',
    'steps.length > 99 ||',
    WHOLE,
  ],
  [
    'after a yes there is no way past it',
    SHOW,
    'approval === null && !isWorthShowing',
    '!isWorthShowing',
    DIGEST,
  ],
  ['bound to the steps', SHOW, 'const bound = { steps, from,', 'const bound = { from,', DIGEST],
  ['bound to whose it is', SHOW, 'template, principal }', 'template }', DIGEST],
  [
    'bound to what its planner wrote',
    SHOW,
    'label, written: texts }',
    'label, written: texts.length }',
    DIGEST,
  ],
  ['bound to its label', SHOW, ', label, written', ', written', DIGEST],
  ['its card is guarded by who wanted it', SHOW, '[planned, task.planMode?.said]', '[planned]', WHOLE],
  [
    'its card is guarded by what was planned',
    SHOW,
    '[planned, task.planMode?.said]',
    '[task.planMode?.said]',
    WHOLE,
  ],
  ['bound to its chat', SHOW, 'args, sink })', "args, sink: '' })", DIGEST],
  [
    'a yes to a write is none to a plan',
    SHOW,
    'task: task.id, step: WHOLE, now',
    'task: task.id, step: approval.step, now',
    DIGEST,
  ],
  [
    'once',
    SHOW,
    'commit: () => powers.store.saveApproval(spent.value, null)',
    'commit: () => powers.store.saveApproval(approval, null)',
    WHOLE,
  ],
  [
    'the owner’s setting (`settingsOf`)',
    'kernel/runtime/intake.ts',
    "  if (principal.class !== 'owner') return {}\n  const words = event",
    '  const words = event',
    WHOLE,
  ],
  [
    'a refused plan leaves no step to run (`withoutYes`)',
    'kernel/machine/step.ts',
    'return isAsked || isShowing(task, step) ?',
    'return isAsked && isShowing(task, step) ?',
    MACHINE,
  ],
  [
    'a no ends it (`refused`)',
    EXECUTE,
    '    if (turn !== null && isPlanQuestion(task)) return decline(task, turn.index, reason)\n',
    '',
    ...[MACHINE, WHOLE],
  ],
  [
    'other words for a text are no yes to the plan (`edited`)',
    EXECUTE,
    ' || isPlanQuestion(task)) return null\n    const edits',
    ') return null\n    const edits',
    MACHINE,
  ],
  [
    'a yes has the plan looked at, not its step (`approved`)',
    EXECUTE,
    '    if (isPlanQuestion(task)) return toShowing(task, turn.index, approval)\n',
    '',
    MACHINE,
  ],
  [
    'no path of a planner’s on the card (`nameOf`)',
    PLAN_CARD,
    'if (/^s\\d/.test(root)) return',
    "if (/^s\\d/.test(root)) return reference; if (root === '') return",
    CARD,
  ],
  [
    'no text of others word for word (`aim`)',
    SHOW,
    'aim: isOwn ? String',
    'aim: isOwn !== null ? String',
    WHOLE,
  ],
  [
    'hidden characters in the words of the owner are shown',
    PLAN_CARD,
    "previewOf(tell('plan-mode.you_asked'), oneLine(aim), () => null)",
    "['  you asked: ', oneLine(aim)].join('')",
    CARD,
  ],
]

export const PLAN_GUARDS: readonly Guard[] = ROWS.map(([guard, file, find, replace, ...tests]) => ({
  guard: `plan mode: ${guard}`,
  tests,
  patches: [{ file, find, replace }],
}))
