/**
 * The guards of what is taken in, of a start and of what is installed, as rows of link-guards.ts:
 * acknowledgements (B-25), what a start says and takes up again (M-04, M-26 – M-28), commands (O-21, O-22),
 * the doctor (S-18). Must not hold what only makes work cheaper. Called by link-guards.ts.
 */
import type { LinkGuard } from './link-guards.ts'

const COMMANDS = 'pipeline/commands'
const COMMAND_TS = 'kernel/task/command.ts'
const DEPLOYED = 'worker/deployed'
const DOCTOR = 'e2e/doctor'
const DOCTOR_COMMAND_TS = 'sidecar/cli/commands/doctor-command.ts'
const DRIVER = 'durable-objects/principal/driver'
const DRIVER_TS = 'durable-objects/principal/driver.ts'
const E2E_RESTART = 'e2e/restart'
const HEALTH = 'worker/health'
const HEALTH_TS = 'worker/open-line.ts'
const HOME_NEWS_TS = 'durable-objects/registry/home-watch.ts'
const BOT_TS = 'integrations/channels/telegram/edge.ts'
const HOME_WATCH = 'worker/home-watch'
const LIVE_FILES = 'home/live-files'
const LIVE_FILES_TS = 'sidecar/channels/home-sender.ts'
const OWN_COMMANDS_TS = 'kernel/features/commands/own-commands.ts'
const HELP_TS = 'kernel/features/commands/help.ts'
const RECOVERY = 'worker/recovery'
const RENDER = 'self/render'
const RENDER_TS = 'kernel/self/render.ts'
const RESTART = 'pipeline/restart'
const RESTART_TS = 'kernel/runtime/restart.ts'
const RUNTIME_TS = 'sidecar/home/runtime.ts'

/** What a start says, and what it takes up again (M-04, M-26 – M-28). */
const STARTED: readonly LinkGuard[] = [
  [
    'first name: asked of its owner alone',
    RENDER_TS,
    "name === OWN_NAME && audience === 'owner' ?",
    'name === OWN_NAME ?',
    RENDER,
  ],
  [
    'first name: once',
    RENDER_TS,
    "name === OWN_NAME && audience === 'owner' ?",
    "audience === 'owner' ?",
    RENDER,
  ],
  [
    'restart: not again a moment later',
    RESTART_TS,
    'if (lastTold !== null && lastTold <= now && now - lastTold < LEAST_BETWEEN_NOTICES) return ok(false)',
    '',
    RESTART,
  ],
  ['restart: no clock silences it', RESTART_TS, 'lastTold <= now && now', 'now', RESTART],
  [
    'restart: what works',
    RESTART_TS,
    "services: services.filter(({ state }) => state === 'active')",
    'services',
    RESTART,
  ],
  [
    'restart: no question that the chat may not show',
    RESTART_TS,
    '(card.ok ? [{ one, card: card.value }] : [])',
    "[{ one, card: card.ok ? card.value : receive('', selfFacts('restart', 'public')) }]",
    RESTART,
  ],
  [
    'restart: as guarded as the questions',
    RESTART_TS,
    'combine([words, ...cards.map(({ card }) => card)],',
    'combine([words],',
    RESTART,
  ],
  [
    'restart: what waits does not go on',
    RESTART_TS,
    'tasks.filter(({ task }) => !isWaiting(task.state)).length',
    'tasks.length',
    RESTART,
  ],
  [
    'restart: what ran out of time',
    RESTART_TS,
    'one.approval.expiresAt <= now',
    'one.approval.expiresAt < 0',
    RESTART,
  ],
  [
    'restart: that it was told is kept',
    RUNTIME_TS,
    "if (told.ok && told.value && !isNew) notes.write('restartTold', now)",
    '',
    E2E_RESTART,
  ],
  ['restart: a first start is none', RUNTIME_TS, 'told.value && !isNew)', 'told.value)', E2E_RESTART],
  [
    'another version: under one name',
    HOME_NEWS_TS,
    'known?.pair === pair ? known : {',
    'known?.told === null ? known : {',
    HOME_WATCH,
  ],
  [
    'another version: told again where they met',
    HOME_NEWS_TS,
    'if (isSent && kv.get<Met>(INCOMPATIBLE)?.at === met.at) kv',
    'if (isSent) kv',
    HOME_WATCH,
  ],
  [
    'deployment: an eviction is none',
    HOME_NEWS_TS,
    'if (deployed === undefined || known?.id === deployed) return',
    'if (deployed === undefined) return',
    DEPLOYED,
  ],
  [
    'deployment: not again within the hour',
    HOME_NEWS_TS,
    'known !== undefined && at - known.toldAt >= LEAST_BETWEEN_NEWS',
    'known !== undefined',
    DEPLOYED,
  ],
  [
    'deployment: the first is no news',
    HOME_NEWS_TS,
    'known !== undefined && at - known.toldAt >= LEAST_BETWEEN_NEWS',
    'at - (known?.toldAt ?? 0) >= LEAST_BETWEEN_NEWS',
    DEPLOYED,
  ],
  ['deployment: when it was told is kept', HOME_NEWS_TS, 'tells ? at : (known?.toldAt ?? 0)', '0', DEPLOYED],
  [
    'recovery: an object that wakes looks',
    DRIVER_TS,
    'if (!isQuiet()) await ensureAlarm(Date.now())',
    '',
    RECOVERY,
  ],
  [
    'recovery: home looks at the clock',
    'sidecar/jobs/scheduler.ts',
    'scheduler = startScheduler(',
    'scheduler = ((of: object) => ({ stop: async () => {}, wake: () => void of }))(',
    'e2e/home-crash',
  ],
  [
    'acknowledged: before anything runs',
    DRIVER_TS,
    'if (taking === 0) void drive().catch(() => undefined)',
    'if (taking === 0) await drive().catch(() => undefined)',
    'worker/principal',
  ],
  [
    'acknowledged: with the alarm set',
    DRIVER_TS,
    '        await ensureAlarm(Date.now() + RECOVERY_DELAY)\n        return await work()',
    '        return await work()',
    RECOVERY,
  ],
  ['acknowledged: all of a burst first', DRIVER_TS, 'if (taking === 0) void drive()', 'void drive()', DRIVER],
  [
    'acknowledged: nothing runs while it is paused',
    DRIVER_TS,
    '    if (powers.paused()) return\n',
    '',
    DRIVER,
  ],
  [
    'acknowledged: whatever its chat shows',
    'integrations/channels/telegram/edge-route.ts',
    'return !told.duplicate && chat === setting.owner ? typing(chat) : taken()',
    "if (chat === setting.owner) await asked.api.ask((bot) => bot.sendChatAction(chat, 'typing'))\n  return taken()",
    'worker/telegram',
  ],
]

/** Commands (O-21, O-22). */
const SAID: readonly LinkGuard[] = [
  [
    'commands: one that is none is said to be none',
    OWN_COMMANDS_TS,
    "return commandIn(words) === null ? null : 'unknown'",
    'return null',
    COMMANDS,
  ],
  [
    'commands: a messenger’s first word',
    HELP_TS,
    "return text === '/start' || HELP.test(text.trim())",
    'return HELP.test(text.trim())',
    COMMANDS,
  ],
  [
    'commands: of the words of the owner only',
    OWN_COMMANDS_TS,
    "!words.ok || words.value.taint.level !== 'clean'",
    '!words.ok',
    COMMANDS,
  ],
  [
    'commands: mode is answered',
    OWN_COMMANDS_TS,
    "  if (text === '/mode') return 'mode'\n",
    '',
    'pipeline/own-commands',
  ],
  [
    'commands: none is listed that nobody answers',
    COMMAND_TS,
    "  { name: 'context', at: 'place' },",
    "  { name: 'dance', at: 'place' },\n  { name: 'context', at: 'place' },",
    COMMANDS,
  ],
  [
    'commands: nor in the terminal',
    COMMAND_TS,
    "  { name: 'quit', at: 'terminal' },",
    "  { name: 'dance', at: 'terminal' },\n  { name: 'quit', at: 'terminal' },",
    COMMANDS,
  ],
  [
    'commands: one of the program wins over an own one of that name',
    'kernel/operations/commands.ts',
    '.filter(({ name }) => !TAKEN.has(name))',
    '.filter(() => true)',
    COMMANDS,
  ],
  ['commands: so many of his own', COMMAND_TS, '  z.maxLength(COMMAND_BOUNDS.commands),\n', '', COMMANDS],
  [
    'commands: so long a description',
    COMMAND_TS,
    'description: line(COMMAND_BOUNDS.description)',
    'description: line(COMMAND_BOUNDS.prompt)',
    COMMANDS,
  ],
  [
    'commands: so long a prompt',
    COMMAND_TS,
    'prompt: line(COMMAND_BOUNDS.prompt)',
    'prompt: line(1e9)',
    COMMANDS,
  ],
]

/** The doctor and the container (S-18), and whose files are read. */
const INSTALLED: readonly LinkGuard[] = [
  [
    'paths: another account’s are not trusted',
    'sidecar/process/trusted-path.ts',
    "if (found.uid !== process.geteuid?.()) return 'it belongs to another user'",
    '',
    'home/trusted-path',
  ],
  [
    'doctor: fails where something is bad',
    DOCTOR_COMMAND_TS,
    "findings.some(({ state }) => state === 'bad') ? 1 : 0",
    'findings.length === 0 ? 1 : 0',
    DOCTOR,
  ],
  [
    'doctor: looks at the edge',
    DOCTOR_COMMAND_TS,
    "    ...(await looked('edge', () => lookAtEdge(context))),\n",
    "    ...((await looked('edge', () => lookAtEdge(context))) && []),\n",
    DOCTOR,
  ],
  [
    'doctor: asks the edge how it is',
    DOCTOR_COMMAND_TS,
    '    ...(await lookAtEdgeState(context)),\n',
    '    ...((await lookAtEdgeState(context)) && []),\n',
    'e2e/deploy',
  ],
  [
    'edge health: Telegram’s words are cut',
    BOT_TS,
    'said: said?.slice(0, MOST_SAID) ?? null',
    'said: said ?? null',
    HEALTH,
  ],
  [
    'edge health: a webhook that leads elsewhere',
    BOT_TS,
    'here: url === ',
    "here: url !== '' || url === ",
    HEALTH,
  ],
  [
    'edge health: an order of one form',
    HEALTH_TS,
    'z.strictObject({ set: z.boolean() })',
    'z.object({ set: z.boolean() })',
    HEALTH,
  ],
  [
    'edge health: questions that wait',
    HEALTH_TS,
    'waiting.ok && Array.isArray(waiting.value) ? waiting.value.length : 0',
    '0',
    'worker/owner-chat',
  ],
  [
    'edge health: a webhook is taken away',
    HEALTH_TS,
    'new URL(req.url).origin, body.value.set)',
    'new URL(req.url).origin, true)',
    HEALTH,
  ],
  ['container: home’s memory is small', 'Containerfile', 'MALLOC_ARENA_MAX=1 ', '', 'scripts/container'],
  [
    'service: home’s memory is small',
    'sidecar/service/service.ts',
    'const MALLOC = Object.entries(MALLOC_SETTING)',
    'const MALLOC = Object.entries({})',
    'home/service',
  ],
  [
    'session: home’s memory is small',
    'scripts/start/home.ts',
    '      ...MALLOC_SETTING,\n',
    '',
    'e2e/terminal',
  ],
  [
    'files: none of Slack’s is read by the bot at Telegram',
    LIVE_FILES_TS,
    "if (channel?.declaration.fetches !== true) return err('tool_unknown')",
    '',
    LIVE_FILES,
  ],
  [
    'files: no text of them',
    LIVE_FILES_TS,
    'return chat.ok ? chat.value.text(file, most) : chat',
    'const any = first()\n      return chat.ok ? chat.value.text(file, most) : any === undefined ? chat : any.text(file, most)',
    LIVE_FILES,
  ],
  [
    'files: no picture of them',
    LIVE_FILES_TS,
    "return chat.ok ? ((await chat.value.picture?.(file, most)) ?? err('sink_unknown')) : chat",
    "const any = first()\n      return chat.ok || any !== undefined ? ((await any?.picture?.(file, most)) ?? err('sink_unknown')) : chat",
    LIVE_FILES,
  ],
]

export const START_GUARDS: readonly LinkGuard[] = [...STARTED, ...SAID, ...INSTALLED]
