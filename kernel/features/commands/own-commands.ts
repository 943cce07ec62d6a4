/**
 * Commands that the kernel answers without a model (O-21), among them how to answer (P-18, P-30): `/mode`, `/brief`, "from now
 * on be brief". They change only the tone of later answers (P-31); a style wish inside a request applies too, and the request
 * is answered. Must only read the owner's words. Called through `Powers.tier`.
 */
import { joinProvenance, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive, selfFacts } from '../../flow/provenance.ts'
import type { AskModelPorts } from '../../model-call/model-call.ts'
import { fitsTask } from '../../model-call/read-through.ts'
import { nextPrompt } from '../../model-call/synthesis-question.ts'
import { commandsAt, operationInMessage } from '../../operations/commands.ts'
import type {
  Actions,
  AtPlace,
  Caps,
  ChatServices,
  Clock,
  Extraction,
  HistorySpan,
  LinkedLines,
  LinkService,
  Metering,
  Operations,
  OwnerFacts,
  OwnerPrompts,
  Pausing,
  PolicySource,
  Tools,
} from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type {
  AuditTrail,
  CapabilityUses,
  StoreOf,
  TaskStore,
  Transactions,
  TurnStore,
} from '../../powers/stores.ts'
import type { DynamicTier, TalkSense } from '../../powers/tier-port.ts'
import { MODES, parseSteer, type Steer, steered, UNSTEERED, VERBOSITIES } from '../../prompt/signal/signal.ts'
import { weighPrompt } from '../../prompt/weigh.ts'
import { answerInMessage } from '../../task/answers/answer-words.ts'
import { AGAIN, commandIn, PAUSE, RESUME, STOP, UNLINK } from '../../task/command.ts'
import { pauseIn } from '../../task/pause.ts'
import { type AnswerTone, planModeInMessage, type Task } from '../../task/task.ts'
import { channelInText, needsOf } from '../../tool/channel.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { listOf, pageOf, type TypedWordsPorts, typedWords } from '../approvals/answers/typed-words.ts'
import { nameOf, numberOf, waitingOf } from '../approvals/waiting.ts'
import { type ChannelPorts, CONNECT, channel, connect } from '../credentials/connect-commands.ts'
import { notYetIn, serviceWish } from '../credentials/service-words.ts'
import { unlink } from '../identities/linked-lines.ts'
import type { JobStore } from '../jobs/port.ts'
import type { MemoryStore } from '../memory/port.ts'
import { pauseAnswer } from '../pause/pause-words.ts'
import { namesIn } from '../persona/names-in.ts'
import { planModeNow } from '../plan-mode/plan-mode.ts'
import type { ReminderStore } from '../reminders/port.ts'
import type { UsageStore } from '../usage/port.ts'
import { USAGE_DAYS, usageReport, usageText } from '../usage/usage-report.ts'
import { contextText, toneText } from './commands.ts'
import { asksHelp, helpAnswer } from './help.ts'
import { missingJob } from './job-asked.ts'
import { meantOperation } from './sentences.ts'
import { isOfService, serviceAnswer } from './service-answer.ts'
import { operationAnswer } from './slash.ts'
import { type StatusPorts, statusAnswer } from './status.ts'

type Own =
  | 'help'
  | 'stop'
  | 'again'
  | 'new'
  | 'pause'
  | 'context'
  | 'usage'
  | 'mode'
  | 'mode_help'
  | 'manner'
  | 'plan'
  | 'connect'
  | 'channel'
  | 'service'
  | 'unlink'
  | 'approvals'
  | 'status'
  | 'answer'
  | 'names'
  | 'operation'
  | 'unknown'

/** `/disconnect`, `disconnect google`; there are other phrases for disconnecting a chat. */
const LEAVE = /^(?:\/disconnect(?: +[a-z0-9][a-z0-9_./-]{0,99})?|disconnect +[a-z0-9][a-z0-9_./-]{0,99})$/

/** "How are you set up?" and the like; a status of something else is a request. */
const ASKS_STATUS =
  /^(?:status|(?:(?:show|give|tell) me |what is |what's )?(?:your|a|the|the system|system) status(?: report)?|how are (?:you|things) set up|what is set up|(?:what|which) (?:integrations|services|accounts|tools) are (?:active|connected|set up|there)|what(?:'s| is| are)? (?:you connected to|(?:all )?connected(?: and what (?:runs|is running))?|runs where)|is (?:everything|all) (?:ok|okay|well|working|running)(?: with you)?|are you (?:ok|okay|working|healthy)|wie bist du eingerichtet|was ist (?:bei dir )?(?:alles )?(?:verbunden|eingerichtet)|womit bist du verbunden|welche (?:dienste|konten) sind (?:verbunden|eingerichtet)|was läuft wo|(?:zeige? mir |wie ist |sage? mir )?(?:deinen|dein|den|der) status|(?:ist|läuft) (?:bei dir )?alles(?: (?:in ordnung|gut|ok|okay))?(?: bei dir)?)[?.!]?$/

/** `/approvals`; with a number one full card, with a second number its page. */
const APPROVALS = /^\/approvals(?: +(?<which>[\w.-]{1,80})(?: +(?<page>\d{1,3}))?)?$/

/** Null for a message that contains more, or something else. */
function ownCommandIn(words: string, { chats, registry }: ChatServices & Actions): Own | null {
  const text = words.trim().toLowerCase()
  if (asksHelp(text)) return 'help'
  if (text === STOP) return 'stop'
  // If there was a request to repeat, intake has already replaced the command by it.
  if (text === AGAIN) return 'again'
  if (text === '/new') return 'new'
  if (text === PAUSE || text === RESUME) return 'pause'
  if (APPROVALS.test(text)) return 'approvals'
  if (text === '/status' || ASKS_STATUS.test(text)) return 'status'
  // An answer that matched no waiting card: only the command is left.
  if (text.startsWith('/') && answerInMessage(text) !== null) return 'answer'
  if (text === '/context') return 'context'
  if (channelInText(text, chats) !== null) return 'channel'
  if (notYetIn(text, registry) !== null) return 'connect'
  const wish = serviceWish(text, needsOf(registry))
  if (wish !== null) return isOfService(wish) ? 'service' : 'connect'
  if (CONNECT.test(text)) return 'connect'
  if (LEAVE.test(text)) return 'service'
  if (text === '/usage') return 'usage'
  if (commandIn(text)?.name === UNLINK) return 'unlink'
  if (text === '/mode') return 'mode'
  // Matches with any text behind it: the reply says the current setting and how to change it.
  if (/^\/plan\b/.test(text) || planModeInMessage(text) !== null) return 'plan'
  if (parseSteer(words.trim())?.whole === true) return 'manner'
  if (/^\/(?:mode|brief|thorough|normal)\b/.test(text)) return 'mode_help'
  const called = operationInMessage(text)
  if (called !== null) return called.operation.name === 'approvals.list' ? 'answer' : 'operation'
  if (namesIn(words) !== null) return 'names'
  // A command that the owner defined as a prompt was replaced by that prompt at intake.
  return commandIn(words) === null ? null : 'unknown'
}

export const OWN_COMMANDS: DynamicTier['commands'] = Object.freeze({
  isCommand: (words: string, powers: ChatServices & Actions) => ownCommandIn(words, powers) !== null,
  tone: toneAfter,
  answer,
})

/** The style of the previous message, changed by what this message asks for. */
function toneAfter(
  { store }: StoreOf<TaskStore>,
  { principal, words }: { readonly principal: string; readonly words: Labeled<string> },
): AnswerTone | null {
  const now = store.recentTasks(principal, 1)[0]?.manner ?? null
  const steer = steerIn(words)
  if (steer === null) return now
  const after = steered(now ?? UNSTEERED, steer)
  if (after.mode === null && after.verbosity === null) return null
  const { label, taint } = now === null ? words : joinProvenance(now.said, words)
  return { ...after, said: { label, taint } }
}

/** Reads only closed lists of modes and lengths, none of the owner's text; the setting bears the label of the words. */
function steerIn(words: Labeled<string>): Omit<Steer, 'whole'> | null {
  const says = (of: (steer: Steer) => boolean): boolean =>
    test(words, (text) => {
      const steer = parseSteer(text.trim())
      return steer !== null && of(steer)
    })
  if (!says(() => true)) return null
  const mode = MODES.find((known) => says((steer) => steer.mode === known)) ?? null
  const verbosity = VERBOSITIES.find((known) => says((steer) => steer.verbosity === known)) ?? null
  return {
    ...(says((steer) => steer.mode !== undefined) && { mode }),
    ...(says((steer) => steer.verbosity !== undefined) && { verbosity }),
  }
}

const OWN: readonly Own[] = [
  'help',
  'stop',
  'again',
  'new',
  'pause',
  'context',
  'usage',
  'mode',
  'mode_help',
  'manner',
  'plan',
  'connect',
  'channel',
  'service',
  'unlink',
  'approvals',
  'status',
  'answer',
  'names',
  'operation',
  'unknown',
]

/** Reports what the task recorded at intake; the current state may differ by now. */
function pauseText(
  { pause, profile, chats }: OwnerFacts & ChatServices & Pausing,
  { pause: said }: Task,
): string {
  const now = pause === undefined ? null : pauseIn(pause.read())
  return pauseAnswer(said ?? { did: 'not_paused', waited: 0 }, now, { timezone: profile().timezone, chats })
}

type CommandPorts = ContextPorts &
  ChannelPorts &
  OwnerPrompts &
  Pausing &
  Operations &
  LinkService &
  StatusPorts &
  StoreOf<CapabilityUses & JobStore & ReminderStore> &
  TalkSense &
  NewConversationPorts

async function answer(powers: CommandPorts, task: Task): Promise<Labeled<string> | null> {
  if (task.typed !== undefined) return typedWords(powers, task, task.typed)
  const words = await openTextOf(powers, task.words)
  if (!words.ok || words.value.taint.level !== 'clean') return null
  // Nearly every message is no command, so one test precedes the tests for each command.
  const isCommand = test(words.value, (text) => ownCommandIn(text, powers) !== null)
  const command = !isCommand
    ? undefined
    : OWN.find((each) => test(words.value, (text) => ownCommandIn(text, powers) === each))
  switch (command) {
    case 'help':
      return helpAnswer(commandsAt(powers.commands ?? [], powers.place), words.value, powers.place)
    case 'stop':
      return receive(
        tell(task.stopped === 0 ? 'commands.nothing_to_stop' : 'commands.stopped'),
        kernelWords(),
      )
    case 'again':
      return receive(tell('commands.nothing_again'), kernelWords())
    case 'new':
      return beginAnew(powers, task)
    case 'pause':
      return receive(pauseText(powers, task), kernelWords())
    case 'unlink':
      return receive(await unlink(powers, words.value), selfFacts('identities', 'internal'))
    case 'approvals':
      return approvals(powers, task, words.value)
    case 'answer':
      return listOf(powers, task)
    case 'status':
      return statusAnswer(powers, task)
    case 'operation':
      return operationAnswer(powers, task, words.value)
    case 'names':
      return operationAnswer(powers, task, words.value, { operation: 'persona.set', argument: 'said' })
    case 'unknown':
      return receive(tell('commands.unknown'), kernelWords())
    case 'context':
      return contextOf(powers, task)
    case 'usage':
      return usageOf(powers)
    case 'connect':
      return connect(powers, task, words.value)
    case 'channel':
      return channel(powers, task, words.value)
    case 'service':
      return serviceAnswer(powers, task, words.value)
    case 'mode':
    case 'manner':
      return toneNow(powers, task)
    case 'plan':
      return planModeNow(powers, task)
    case 'mode_help':
      return receive(tell('commands.mode_help'), kernelWords())
    default:
      return sentenceAnswer(powers, task, words.value)
  }
}

/** Answer to a sentence such as "what waits for me?". Null for any other message. */
async function sentenceAnswer(
  powers: CommandPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const found = await meantOperation(powers, task)
  if (found === null) return null
  const { operation, args, named } = found.meant
  if (found.by === 'list') {
    if (operation === 'status') return statusAnswer(powers, task)
    if (operation === 'usage') return usageOf(powers)
    if (operation === 'approvals.list') return listOf(powers, task)
  }
  const missing = found.by === 'job' ? await missingJob(powers, task, operation) : null
  if (missing !== null) return missing
  return named === null
    ? operationAnswer(powers, task, words, { operation, args })
    : operationAnswer(powers, task, named.words, { operation, argument: named.argument, args })
}

/** Ports needed to begin a new conversation. */
export type NewConversationPorts = StoreOf<Transactions & TurnStore & MemoryStore & SealedStore>

/**
 * Begins a new conversation. Facts stay; turns and results of this place are archived, where only a search finds them.
 * Idempotent.
 */
function beginAnew({ store }: NewConversationPorts, { principal }: Task): Labeled<string> {
  store.transaction(() => {
    const summary = store.beginAnew(principal)
    store.archiveMemory(principal)
    if (summary !== null) store.deleteSealed([summary.id])
  })
  return receive(tell('commands.new'), kernelWords())
}

/** Reads a closed set: numbers and names of what waits, and pages. */
function approvals(powers: TypedWordsPorts, task: Task, words: Labeled<string>): Promise<Labeled<string>> {
  const said = (name: 'which' | 'page', value: string): boolean =>
    test(words, (text) => APPROVALS.exec(text.trim().toLowerCase())?.groups?.[name] === value)
  const names = waitingOf(powers).flatMap((group) => [
    nameOf(group),
    String(numberOf(powers, group.at(-1) ?? group[0])),
  ])
  const which = names.find((name) => said('which', name))
  if (which === undefined) return listOf(powers, task)
  const page = PAGES.find((one) => said('page', String(one))) ?? 1
  return pageOf(powers, task, { which, page })
}

/** Pages of the longest possible card. */
const PAGES = Array.from({ length: 200 }, (_, at) => at + 1)

/** The style setting in force, but nothing where this chat is not cleared for the message that set it. */
function toneNow(powers: Clock & PolicySource, task: Task): Labeled<string> {
  const { manner } = task
  const isKnown = manner !== undefined && fitsTask(powers, task)(manner.said.label)
  return receive(toneText(isKnown ? manner : UNSTEERED), isKnown ? manner.said : kernelWords())
}

/** Ports needed to measure a prompt. */
type ContextPorts = AskModelPorts & Extraction & Tools & LinkedLines & HistorySpan & StoreOf<AuditTrail>

/** Names and counts, with the label of what was counted. */
async function contextOf(powers: ContextPorts, task: Task): Promise<Labeled<string>> {
  const prompt = await nextPrompt(powers, task)
  if (!prompt.ok) return receive(wordsFor(prompt.reason.code), kernelWords())
  const { model, provenance } = prompt.value
  const text = contextText(weighPrompt(prompt.value), { model, reported: lastRead(powers, task) })
  return receive(text, provenance)
}

/** The owner's own figures and no text: for any chat of the owner, never a public one. */
async function usageOf(
  powers: Clock & AtPlace & OwnerFacts & Caps & Metering & StoreOf<UsageStore>,
): Promise<Labeled<string>> {
  const report = usageReport(powers, USAGE_DAYS.usual, await powers.plan?.())
  return receive(usageText(report, ROWS_IN_A_CHAT, tell), selfFacts('usage', 'internal'))
}

/** Tokens that the model counted in this chat's last prompt; null when none did. */
function lastRead({ store }: StoreOf<TaskStore & AuditTrail>, { principal, id, sink }: Task): number | null {
  const before = store
    .recentTasks(principal, LOOKED_BACK)
    .find((task) => task.id !== id && task.sink === sink)
  const called = store.auditOf(before?.id ?? '').findLast(({ kind }) => kind === 'model_called')
  const read = called?.facts['tokensIn']
  return typeof read === 'number' ? read : null
}

/** Number of newest tasks searched. */
const LOOKED_BACK = 20
const ROWS_IN_A_CHAT = 7
