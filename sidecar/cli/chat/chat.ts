/**
 * The conversation in a terminal: sends what the owner types over the line, and prints deliveries in order. Survives a
 * restart of the place. Must not print anything that has not passed terminalText. Called by the `chat` command and by
 * `npm start`.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Turn } from '../../../kernel/features/approvals/card/card-face.ts'
import { EVERY, isNamed } from '../../../kernel/features/approvals/operations/shape.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { LAST_CHOICE } from '../../../kernel/task/answers/answer-words.ts'
import { STOP } from '../../../kernel/task/command.ts'
import { tell as sentence } from '../../language/wording.ts'
import { firstQuestions } from '../first-questions.ts'
import { isOffline, type LineDelivery, type LineDraft } from '../line/link.ts'
import { createPrompt } from '../prompt.ts'
import { sentenceFor } from '../words.ts'
import { decideOn, endingOf, findCard, type WaitingCard, waitingOn } from './cards.ts'
import { type ChatLine, chatHelp, concernsCard, parseChatLine } from './chat-line.ts'
import { skipHistory } from './news.ts'
import { createProgress } from './progress-line.ts'
import { renderTrail } from './render.ts'
import { type ChatInput, listed, printed, printing, type Session, say } from './session.ts'
import { type CardTurning, createCardTurning, createDrafting, createSeenCards, ownCard } from './shown.ts'
import { statusWords } from './status-words.ts'
import { terminalLine, terminalText } from './terminal-text.ts'

/** Longest poll for new rows, and the pause before a retry, milliseconds. */
const POLL_MS = 15_000
const RETRY_MS = 300
const SPIN_MS = 100
/** States in which a task waits for a model only. */
const ASKS_MODEL: readonly string[] = ['planning', 'synthesizing']
/** States of a task in which no more work is done. */
const ENDING: readonly string[] = ['delivering', 'completed', 'failed', 'cancelled']
const LOCKED_RETRY_MS = 2_000

/** Milliseconds to wait for pending answers after piped input ended. */
const LAST_ANSWER_MS = 120_000

/** Resolves when the owner leaves, or when piped input has ended and all answers have arrived. */
export async function chat(input: ChatInput): Promise<void> {
  const session: Session = {
    ...input,
    prompt: null,
    open: new Map(),
    newest: null,
    cursor: 0,
    closed: false,
    offline: false,
    locked: false,
    seen: createSeenCards(),
    turning: createCardTurning(),
    drafting: createDrafting(),
    progress: createProgress(input),
  }
  await input.speak()
  const { cursor, news } = await skipHistory(input.attachment.link)
  session.cursor = cursor
  for (const text of news) say(session, terminalText(text).trimEnd())
  const first = await firstQuestions({ ...input, link: input.attachment.link })
  let lines = Promise.resolve()
  const prompt = createPrompt({
    ...input,
    onLine: (line) => {
      lines = lines.then(() => take(session, line))
    },
    onInterrupt: () => say(session, sentence('terminal.leave')),
  })
  session.prompt = prompt
  input.onVoice?.((text) => say(session, text))
  say(session, session.screen.dim(sentence('terminal.ask_something')))
  const spinner = setInterval(() => {
    const slow = session.progress.show(session)
    if (slow !== null) void tellSlow(session, slow)
  }, SPIN_MS)
  const listening = listen(session)
  if (first !== null) lines = lines.then(() => take(session, first))
  await prompt.ended
  await lines
  if (!input.terminal) await answered(session)
  session.closed = true
  clearInterval(spinner)
  session.screen.progress('')
  input.attachment.link.close()
  await listening
}

async function listen(session: Session): Promise<void> {
  while (!session.closed) {
    const { link } = session.attachment
    const rows = await link.deliveries(session.cursor, POLL_MS, 'drafts')
    if (session.closed) return
    if (rows.ok && rows.value.length === 0) showDraft(session, link.draft())
    if (rows.ok) session.locked = false
    if (!rows.ok && rows.reason.code === 'edge_locked') await lockedOut(session, rows.reason)
    else if (!rows.ok) await reconnect(session, rows.reason.code)
    else for (const row of rows.value) await show(session, row)
  }
}

/** Printed once. The connection works, so there is nothing to reconnect. */
async function lockedOut(session: Session, reason: Refusal): Promise<void> {
  if (!session.locked) say(session, sentenceFor(reason))
  session.locked = true
  await pause(LOCKED_RETRY_MS)
}

async function reconnect(session: Session, code: ReasonCode): Promise<void> {
  if (!session.offline && isOffline(session.attachment.link, code))
    say(session, sentence(`terminal.lost_${placeOf(session)}`))
  session.offline = true
  await pause(RETRY_MS)
  if (session.closed) return
  const back = await session.attachment.recover()
  if (!back.ok || session.closed) return
  session.offline = false
  say(session, sentence('terminal.again'))
}

/** Shows drafts only for pending questions of this chat. */
function showDraft(session: Session, draft: LineDraft | null): void {
  const more = draft === null || !session.open.has(draft.task) ? '' : session.drafting.more(draft)
  if (more !== '') say(session, more)
}

async function show(session: Session, row: LineDelivery): Promise<void> {
  session.cursor = row.seq
  await session.speak()
  const report = row.task === null ? null : await session.attachment.link.report(row.task)
  // A notice may be the last message of a task, or an intermediate one.
  const isLast = report?.ok === true && ENDING.includes(report.value.task.state)
  if (row.task !== null && (row.kind !== 'notice' || isLast)) session.open.delete(row.task)
  const isAnswer = row.kind === 'answer'
  const lines = [isAnswer ? session.drafting.rest(row.task, row.text) : terminalText(row.text).trimEnd()]
  // An answer may contain text crafted to provoke a yes, so the card must be shown again first.
  if (isAnswer) session.seen.forget(report?.ok === true ? ownCard(report.value) : null)
  if (row.kind === 'card' && row.approval !== null) {
    session.seen.see([row.approval])
    if (row.task !== null && row.task === session.newest) session.seen.brought(row.approval)
  }
  if (row.kind === 'notice') session.seen.interrupt()
  if (row.kind === 'card') lines.push(session.screen.dim(await underCard(session, row)))
  if (isAnswer && report?.ok) lines.push(session.screen.dim(renderTrail(report.value)))
  say(session, lines.filter((line) => line !== '').join('\n'))
  if (session.open.size > 0) await settle(session)
}

/**
 * Stops waiting for messages that get no answer of their own, such as a correction of a pending card: the new card is the answer.
 * The report then names the card's task.
 */
async function settle(session: Session): Promise<void> {
  for (const task of [...session.open.keys()]) {
    const report = await session.attachment.link.report(task)
    if (!report.ok) continue
    const { reply, task: own } = report.value
    const isSilent = reply === null && ENDING.includes(own.state) && own.state !== 'delivering'
    if (own.id !== task || isSilent) session.open.delete(task)
  }
}

/** Shown once per request, so that the owner knows why a model does not answer. */
async function tellSlow(session: Session, task: string): Promise<void> {
  const report = await session.attachment.link.report(task)
  if (!report.ok || !session.open.has(task)) return
  if (ASKS_MODEL.includes(report.value.task.state))
    say(session, session.screen.dim(sentence('terminal.slow')))
}

async function underCard({ attachment, turning }: Session, { approval }: LineDelivery): Promise<string> {
  const waiting = await waitingOn(attachment.link)
  return turning.shown(waiting.ok ? waiting.value.find(({ id }) => id === approval) : undefined)
}

async function take(session: Session, line: string): Promise<void> {
  await session.speak()
  const ask = () => waitingOn(session.attachment.link)
  const waiting = !concernsCard(line) ? null : await online(session, ask)
  const parsed = parseChatLine(line, waiting?.ok ? waiting.value.length : 0)
  const trouble = await obey(session, parsed)
  if (trouble !== null && !trouble.ok) say(session, sentenceFor(trouble.reason))
  else if (session.open.size === 0) session.prompt?.show()
}

/** Result of a command that can fail; null for one that cannot. */
async function obey(session: Session, line: ChatLine): Promise<Result<unknown> | null> {
  const { link } = session.attachment
  switch (line.kind) {
    case 'nothing':
      return null
    case 'say':
      session.seen.asked()
      return send(session, line.text, true)
    case 'help':
      return printed(session, chatHelp(link.line === 'private' ? 'home' : 'edge', line.topic))
    case 'unknown':
      return printed(session, sentence('terminal.no_command', { name: terminalLine(line.name) }))
    case 'status':
      return printing(session, await link.status(), statusWords)
    case 'approvals':
      return printing(session, await waitingOn(link), (views) => listed(session, views))
    case 'page':
      return showPage(session, line)
    case 'turn':
      return turn(session, line.to)
    case 'decide':
      return decide(session, line)
    case 'unclear':
      return unclear(session, line.text)
    case 'pick':
      return pick(session, line)
    case 'edit':
      return edit(session, line.text)
    case 'stop':
      return stop(session)
    case 'quit':
      session.prompt?.close()
      return null
  }
}

/** The same id for each attempt: a message whose receipt was lost is not sent twice. */
async function send(
  session: Session,
  text: string,
  isRequest = false,
): Promise<Result<{ readonly task: string }>> {
  const id = randomUUID().replaceAll('-', '')
  session.newest = null
  const sent = await online(session, () => session.attachment.link.send({ id, text }))
  if (sent.ok) session.open.set(sent.value.task, Date.now())
  if (sent.ok && isRequest) session.newest = sent.value.task
  return sent
}

/** Retries until the place is reachable: a yes typed during a restart must not become a message afterwards. */
async function online<T>(session: Session, ask: () => Promise<Result<T>>): Promise<Result<T>> {
  for (;;) {
    const answer = await ask()
    if (answer.ok || session.closed || !isOffline(session.attachment.link, answer.reason.code)) return answer
    await pause(RETRY_MS)
  }
}

async function decide(
  session: Session,
  line: Extract<ChatLine, { kind: 'decide' }>,
): Promise<Result<unknown>> {
  const { link } = session.attachment
  // Applies to every pending card; the place reports how many there were.
  if (line.which === EVERY) return send(session, `/${line.decision} ${EVERY}`)
  if (line.loose !== undefined && !session.seen.isNewest()) return send(session, line.loose)
  const approval = await meantHere(session, line)
  if (approval === null || !approval.ok) return approval ?? NOTHING_DONE
  const ended = line.which === '' ? null : await endingOf(link, approval.value)
  if (ended !== null) return printed(session, terminalText(ended).trimEnd()) ?? NOTHING_DONE
  // Idempotent, so it may be sent repeatedly.
  const decided = await online(session, () => decideOn(link, approval.value, line.decision))
  if (decided.ok && decided.value.task === '')
    say(session, terminalText(decided.value.holds ?? '').trimEnd() || sentence(ENDED[line.decision]))
  else if (decided.ok) session.open.set(decided.value.task, Date.now())
  return decided
}

async function pick(
  session: Session,
  { option, text }: Extract<ChatLine, { kind: 'pick' }>,
): Promise<Result<unknown>> {
  const waiting = await online(session, () => waitingOn(session.attachment.link))
  if (!waiting.ok) return waiting
  const meant = session.seen.meant(waiting.value)
  if (typeof meant === 'string' || option > meant.options || meant.options === 0) return send(session, text)
  const which = `${meant.id}.${option === LAST_CHOICE ? meant.options : option}`
  return decide(session, { kind: 'decide', decision: 'approve', which })
}

/** The place applies the correction to the card and replies with the new card, so the message itself gets no answer. */
async function edit(session: Session, text: string): Promise<Result<unknown>> {
  const sent = await send(session, text)
  const report = sent.ok ? await session.attachment.link.report(sent.value.task) : null
  if (sent.ok && report?.ok === true && report.value.task.id !== sent.value.task)
    session.open.delete(sent.value.task)
  return sent
}

const NOTHING_DONE: Result<true> = ok(true)
const ENDED = { approve: 'terminal.done', deny: 'approvals.said_no' } as const

/** "Lovely" and "send it" are no decision: directly after a card, the owner is told that it is still pending. */
async function unclear(session: Session, text: string): Promise<Result<unknown>> {
  if (!session.seen.isNewest()) return send(session, text)
  const waiting = await online(session, () => waitingOn(session.attachment.link))
  if (waiting.ok) showWaiting(session, sentence('terminal.not_yet'), waiting.value)
  return waiting
}

/** Id of the card that a line is about; null if the owner was shown the pending cards instead. */
async function meantHere(
  session: Session,
  { which, decision, open }: Extract<ChatLine, { kind: 'decide' }>,
): Promise<Result<string> | null> {
  const { link } = session.attachment
  if (which !== '') return online(session, () => findCard(link, which))
  const waiting = await online(session, () => waitingOn(link))
  if (!waiting.ok) return waiting
  // A card with options is answered by a number, never by a yes.
  const plain = waiting.value.filter(({ options }) => options === 0)
  const asked = decision === 'approve' && plain.length > 0 ? plain : waiting.value
  const meant = session.seen.meant(asked)
  const [only, ...others] = asked
  if (meant === 'none' || only === undefined) return err('nothing_found')
  // A no changes nothing, so it applies to the only pending card without showing it again.
  if (decision === 'deny' && open !== true && others.length === 0 && session.seen.wasShown(only.id))
    return ok(only.id)
  const isOpen = open === true && !session.seen.isNewest()
  if (typeof meant !== 'string' && !isOpen) return ok(meant.id)
  const head = sentence(meant === 'several' ? 'terminal.which_one' : 'terminal.waits_now')
  showWaiting(session, head, waiting.value)
  return null
}

/** Shows the next page of the current card: exactly what an approval would run. */
async function turn(session: Session, to: Turn): Promise<Result<unknown>> {
  const { seen, turning } = session
  const waiting = await online(session, () => waitingOn(session.attachment.link))
  if (!waiting.ok) return waiting
  const meant = seen.meant(waiting.value)
  const view = turning.standing(waiting.value) ?? (typeof meant === 'string' ? undefined : meant)
  if (view === undefined) showWaiting(session, sentence('terminal.waits_now'), waiting.value)
  else sayCard(session, view, turning.turn(view, to))
  return NOTHING_DONE
}

/** For a card that is over, shows how it ended. */
async function showPage(
  session: Session,
  { which, page }: Extract<ChatLine, { kind: 'page' }>,
): Promise<Result<unknown>> {
  const { link } = session.attachment
  const waiting = await online(session, () => waitingOn(link))
  if (!waiting.ok) return waiting
  const view = waiting.value.find((one) => isNamed(one, which))
  if (view === undefined) {
    const ended = await endingOf(link, which)
    say(session, ended === null ? listed(session, waiting.value) : terminalText(ended).trimEnd())
  } else sayCard(session, view, session.turning.open(view, page))
  return NOTHING_DONE
}

function sayCard(
  session: Session,
  { id }: WaitingCard,
  { text, hint }: ReturnType<CardTurning['open']>,
): void {
  session.seen.see([id])
  say(session, `${terminalText(text).trimEnd()}\n${session.screen.dim(hint)}`)
}

function showWaiting(session: Session, head: string, waiting: readonly WaitingCard[]): void {
  say(session, `${head}\n${listed(session, waiting)}`)
}

async function stop(session: Session): Promise<Result<unknown> | null> {
  const { link } = session.attachment
  // The place knows what runs and reports the end of each request. A request that waits for an approval is not counted here.
  if (session.open.size > 0) return send(session, STOP)
  const waiting = await waitingOn(link)
  return waiting.ok && waiting.value.length > 0
    ? send(session, STOP)
    : printed(session, sentence('terminal.idle'))
}

async function answered(session: Session): Promise<void> {
  const end = Date.now() + LAST_ANSWER_MS
  while (session.open.size > 0 && Date.now() < end) await pause(SPIN_MS)
}

function placeOf({ attachment }: Session): 'home' | 'edge' {
  return attachment.link.line === 'private' ? 'home' : 'edge'
}
