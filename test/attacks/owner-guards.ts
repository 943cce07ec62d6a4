/**
 * The guards of what the owner is asked, told and charged: credentials (L-12), `/stop` (O-21), the reader
 * pass (N-25), budgets (B-37), the notice of a delay (D-17) and the owner's chats (H-04, H-13), as rows of
 * tested-guards.ts, each with the tests that must go red. A row with several patches has as many walls. Those
 * that only workerd or real processes show are rows of link-guards.ts. Read there.
 */
import type { Guard } from './controls.ts'
import type { LinkGuard } from './link-guards.ts'

const CREDENTIALS = ['test/pipeline/credentials.test.ts']
const COMMANDS = ['test/pipeline/commands.test.ts']
const AGAIN_TESTS = ['test/pipeline/again.test.ts']
const READER = ['test/pipeline/reader-pass.test.ts']
const BUDGET = ['test/pipeline/budget.test.ts']
const DELAY = ['test/models/attempt.test.ts']
const SENDER = ['test/channels/telegram-sender.test.ts']
const BOTH_LINES = ['test/pipeline/both-lines.test.ts']
const SETTINGS = ['test/pipeline/settings-refused.test.ts']

const ASK = 'kernel/features/credentials/ask-credential.ts'
const SET_UP = 'kernel/features/admin/planned.ts'
const STOP = 'kernel/runtime/stop-word.ts'
const AGAIN = 'kernel/runtime/again.ts'
const CALL = 'kernel/model-call/model-call.ts'
const SPENDING = 'kernel/features/usage/spending.ts'
const ROUTER = 'kernel/inference/router.ts'
const API = 'integrations/channels/telegram/api.ts'
const SAYS = 'integrations/channels/telegram/sender.ts'
const ONLY_AT_HOME = "isClosed ? tell('credentials.only_at_home') : wordsFor('approvals_many')"

type Patch = readonly [file: string, find: string, replace: string]
type Row = readonly [guard: string, tests: readonly string[], ...patches: Patch[]]

const ASKED: readonly Row[] = [
  [
    'a plan that sets up: the owner’s, in their own words',
    SETTINGS,
    [
      SET_UP,
      "if (principal !== OWNER_PRINCIPAL || words.taint.level !== 'clean') return err('principal_not_allowed')",
      '',
    ],
  ],
  [
    'a plan that sets up: before others’ words were read',
    SETTINGS,
    [SET_UP, 'return isClean ? ok(true) : late', 'return isClean || !isClean ? ok(true) : late'],
  ],
  [
    'a plan that sets up: with no argument of others',
    SETTINGS,
    [SET_UP, 'if (!references.every((ref) => isFrom(own, ref))) return late', ''],
  ],
  [
    'a plan that sets up: with no choice among rows of others',
    SETTINGS,
    [SET_UP, '.every((ref) => isFrom(ASKED_ROOTS, ref))', '.every(() => true)'],
  ],
  [
    'a plan that sets up: never without a card',
    ['test/pipeline/settings-planned.test.ts'],
    ['kernel/features/admin/actions.ts', "asks: 'always', ", ''],
  ],
  [
    'a plan that sets up: what widens says who asked, and with what',
    ['test/pipeline/settings-planned.test.ts'],
    [
      'kernel/features/approvals/change.ts',
      'planned === undefined ? own',
      'planned !== undefined || own ? own',
    ],
  ],
  ['a credential: once a task', CREDENTIALS, [ASK, ' && !asked', ' && (asked || !asked)']],
  ['a credential: for his own tasks', CREDENTIALS, [ASK, 'task.principal === OWNER_PRINCIPAL && ', '']],
  [
    'a credential: so many questions at once',
    CREDENTIALS,
    [ASK, 'if (openQuestions(powers).length >= MAX_CREDENTIAL_QUESTIONS) return false', ''],
  ],
  [
    'a credential: not where the edge reads along',
    BOTH_LINES,
    [ASK, 'if (isReadByBothPlaces(powers, lacking.sink)) return null', ''],
  ],
  [
    'a chat’s: said where to say it',
    BOTH_LINES,
    ['kernel/features/channels/channels.ts', ONLY_AT_HOME, "wordsFor('approvals_many')"],
  ],
  [
    'a service’s: said where to say it',
    BOTH_LINES,
    [
      'kernel/features/credentials/connect-commands.ts',
      "isClosed ? tell('credentials.only_at_home') : wordsFor('approvals_many')",
      "wordsFor('approvals_many')",
    ],
  ],
  [
    'a link’s question is put again',
    ['test/pipeline/identity-links.test.ts'],
    ['kernel/features/identities/identity-links.ts', '[powers.now() + ASK_AGAIN] : []', '[] : []'],
  ],
]

const STOPPED: readonly Row[] = [
  ['/stop: in its own chat', COMMANDS, [STOP, '.filter(({ task }) => task.sink === chat.id)', '']],
  ['/stop: of the owner', COMMANDS, [STOP, 'principal.id !== OWNER_PRINCIPAL || ', '']],
]

const REPEATED: readonly Row[] = [
  ['again: in its own chat', AGAIN_TESTS, [AGAIN, 'task.sink === sink && ', '']],
  [
    'again: a bare word only after what was not done',
    AGAIN_TESTS,
    [AGAIN, '(isCommand || isUndone(powers, last))', 'true'],
  ],
  [
    'again: by a tap, only what nobody answered',
    AGAIN_TESTS,
    ['kernel/features/approvals/endings.ts', "state !== 'expired' || ", ''],
  ],
  [
    'again: by a tap, once',
    AGAIN_TESTS,
    [
      AGAIN,
      "if (powers.store.loadTask(id) !== null) return err('approval_spent', { approval: approval.id })",
      '',
    ],
    [
      AGAIN,
      "if (!powers.store.addTask(task, rows)) return err('approval_spent', { approval: approval.id })",
      'powers.store.addTask(task, rows)',
    ],
  ],
]

const SAID: readonly Row[] = [
  [
    'a part of the message: the label of all that the planner read',
    ['test/pipeline/disclosure.test.ts', 'test/pipeline/said.test.ts'],
    ['kernel/call/values/said.ts', 'combine<Json, Json>([span, choice],', 'combine<Json, Json>([span],'],
  ],
  [
    'a part of the message: whole words',
    ['test/pipeline/said.test.ts'],
    ['kernel/call/values/said.ts', 'if (isEdge(from, -1) && isEdge(to, 1)) return from', 'return from'],
  ],
  [
    'a part of the message: of the owner’s own',
    ['test/pipeline/said.test.ts'],
    ['kernel/call/values/said.ts', " || words.taint.level !== 'clean'", ''],
  ],
]

const READ_FIRST: readonly Row[] = [
  [
    'reader pass: off unless set',
    ['test/home/config.test.ts'],
    ['sidecar/config/config.ts', 'readerPass: parsed.reader.pass', 'readerPass: parsed.reader.pass || true'],
  ],
  [
    'reader pass: while an answer is written',
    READER,
    [
      CALL,
      "if (!isOfPhase(task, 'synthesize')) return err('model_refused_phase', { state: task.state.at })",
      '',
    ],
  ],
  [
    'reader pass: not of what was stopped',
    READER,
    [
      CALL,
      "if (powers.stop?.aborted === true) return err('task_stopped')\n  const { purpose, contents, picture",
      'const { purpose, contents, picture',
    ],
  ],
  [
    'reader pass: models of the owner only',
    READER,
    [CALL, "reader.locality === 'home' && reads !== 'parts'", "reads !== 'parts'"],
  ],
  [
    'reader pass: a line for what was read',
    READER,
    [
      CALL,
      'failed: listOf(failed), removed, ...(cut && { cut }) }\n  audit(powers,',
      'failed: listOf(failed), removed, ...(cut && { cut }) }\n  void ((...line: Parameters<typeof audit>) => line)(powers,',
    ],
  ],
  [
    'reader pass: a line for what failed',
    READER,
    [
      CALL,
      "noteLeak(powers, task, reply.reason)\n    audit(powers, 'model_called', task, {",
      'noteLeak(powers, task, reply.reason)\n    void ({',
    ],
  ],
  ['reader pass: a line for a secret', READER, [CALL, 'noteLeak(powers, task, reply.reason)', '']],
]

const CHARGED: readonly Row[] = [
  [
    'budget: of a day',
    BUDGET,
    [SPENDING, 'day: store.spentOn({ day }) },', 'day: { tokens: 0, cost: 0 } },'],
  ],
  [
    'budget: of a task',
    BUDGET,
    [SPENDING, 'task: task === null ? null : store.spentOn({ task })', 'task: null'],
  ],
  [
    'budget: no model without a price under a cap in money',
    BUDGET,
    [
      'kernel/inference/budget.ts',
      "if (costPerDay !== null && price === null) return { cap: 'price_missing' }",
      '',
    ],
  ],
  [
    'budget: a line for what it kept back',
    BUDGET,
    [SPENDING, 'store.appendAudit({ at: now()', 'void ({ store, at: now()'],
  ],
  [
    'budget: one for all of the edge',
    ['test/durable-objects/day-share.test.ts'],
    [SPENDING, 'share === undefined ? budget : capsWithin(budget, share.of(day))', 'budget'],
  ],
  ['delay: told after a while', DELAY, [ROUTER, 'call.now() - began >= VISIBLE_DELAY', 'true']],
  ['delay: of a model that was asked', DELAY, [ROUTER, '!told && wasAsked(failed) && ', '!told && ']],
  ['delay: told', DELAY, [ROUTER, '      await call.delayed?.()\n', '']],
  ['delay: once a task', DELAY, [CALL, 'if (powers.store.lastDelivery(id)?.id === notice) return', '']],
  [
    'delay: to somebody who waits',
    DELAY,
    [
      CALL,
      '...(WAITED_FOR.includes(template.principalClass) && { delayed: () => tellDelay(powers, task) })',
      'delayed: () => tellDelay(powers, task)',
    ],
  ],
]

const CHATS: readonly Row[] = [
  [
    'Telegram: no preview of what is said',
    SENDER,
    [
      SAYS,
      'bot.sendMessage(chat, shown.part.text, { ...looks, ...NO_PREVIEW })',
      'bot.sendMessage(chat, shown.part.text, looks)',
    ],
  ],
  [
    'Telegram: nor of what is changed',
    SENDER,
    [SAYS, 'message, shown.part.text, { ...looks, ...NO_PREVIEW }', 'message, shown.part.text, looks'],
  ],
  [
    'Telegram: its Bot API and no other host',
    SENDER,
    [API, 'maxRedirects: 0 }', 'maxRedirects: 5 }'],
    [API, 'hosts: [host]', "hosts: [host, 'elsewhere.example.com']"],
  ],
  [
    'Telegram: its own address is no private one',
    SENDER,
    [API, 'exemptOrigins: isOwn ? [origin] : []', 'exemptOrigins: [origin]'],
  ],
  [
    'Telegram: a file’s path leads to a file',
    ['test/channels/telegram-files.test.ts'],
    [API, "if (!FILE_PATH.test(path)) return err('remote_rejected', { why: 'path' })", ''],
  ],
]

export const OWNER_GUARDS: readonly Guard[] = [
  ...ASKED,
  ...STOPPED,
  ...REPEATED,
  ...SAID,
  ...READ_FIRST,
  ...CHARGED,
  ...CHATS,
].map(([guard, tests, ...patches]) => ({
  guard,
  tests,
  patches: patches.map(([file, find, replace]) => ({ file, find, replace })),
}))

const ENV = 'durable-objects/platform/env.ts'
const USAGE = 'worker/usage'
const INBOX = 'sidecar/tunnel/tunnel-inbox.ts'
const INBOX_TESTS = 'home/tunnel-inbox'
const FAULTS = 'durable-objects/registry/edge-faults'

/** Of the edge's models, of the link at home, and of chats that come and go. */
export const PLACE_GUARDS: readonly LinkGuard[] = [
  ['budget: as the edge is set', ENV, 'budget: budgetOf(caps.data)', 'budget: budgetOf()', USAGE],
  [
    'budget: without the cap that was meant no model',
    ENV,
    "  if (!caps.success) return withoutModels('BUDGET', caps.error)\n",
    '',
    USAGE,
  ],
  [
    'origins: a wrong one, and no model',
    ENV,
    "  if (!origins.success) return withoutModels('MODEL_ORIGINS', origins.error)\n",
    '',
    USAGE,
  ],
  [
    'origins: no model at an address that is not named',
    'durable-objects/platform/models-setting.ts',
    'if (unreachable(baseUrl, exemptOrigins) !== null) return',
    "if (baseUrl === '') return",
    'models/settings',
  ],
  [
    'budget and origins: a line for a wrong setting',
    'durable-objects/registry/ports.ts',
    "      note('fault', { code: 'config_malformed', setting: name })\n",
    '',
    FAULTS,
  ],
  [
    'budget: of each who asks the edge',
    'durable-objects/principal/powers.ts',
    '    budget: settings.budget,\n',
    '',
    USAGE,
  ],
  [
    'budget: one for all who ask the edge',
    'durable-objects/registry/kernel.ts',
    'createDayShares(kv, settings.value.budget)',
    'createDayShares(kv, { tokensPerDay: 99_000_000, costPerDay: null })',
    USAGE,
  ],
  [
    'budget: each asks for its share of it',
    'durable-objects/principal/powers.ts',
    'dayShare: createDayShare(',
    'unshared: createDayShare(',
    USAGE,
  ],
  [
    'a hole in the link is asked about once a while',
    INBOX,
    ' && at - connection.askedAt < ASK_AGAIN',
    '',
    INBOX_TESTS,
  ],
  [
    'a beat speaks after silence alone',
    INBOX,
    ' || powers.now() - connection.busyAt < ASK_AGAIN',
    '',
    INBOX_TESTS,
  ],
  [
    'a chat that came is in the picture (`renewed`)',
    'sidecar/home/wiring.ts',
    "changed: () => renewed('channel'),",
    'changed: () => undefined,',
    'e2e/activate',
  ],
  [
    'a chat’s token from the edge is accepted by its service',
    'sidecar/home/wiring.ts',
    'secretService: { ...secretService, ...channels.accepting },',
    'secretService,',
    'e2e/activate-edge',
  ],
]
