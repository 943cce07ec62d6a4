/**
 * PrincipalObject: everything the edge holds of one principal (B-10): events, tasks, turns, sealed rows. Refuses calls that name
 * another principal and drives the kernel's shell; the alarm is the safety net for evictions (T-13). Must not decide what
 * may flow. Called by the Worker and by TunnelObject.
 */
import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import { type CheckedTap, settleTap, type TapAnswer } from '../../integrations/channels/runtime/cards.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { createStore } from '../../integrations/store/store.ts'
import { putElsewhere } from '../../kernel/features/approvals/asking.ts'
import { deliverNotice, type Notice } from '../../kernel/features/deliveries/deliver.ts'
import { takeLinks } from '../../kernel/features/identities/link-change.ts'
import { linesFor } from '../../kernel/features/identities/linked-lines.ts'
import type { Asker, LinkedLine } from '../../kernel/features/identities/port.ts'
import { activeJobs } from '../../kernel/features/jobs/status.ts'
import { type QuestionMessage, receiveMessage } from '../../kernel/features/owner-question/owner-question.ts'
import { takeAgreements } from '../../kernel/features/people/agreement-change.ts'
import type { HomeAnswer } from '../../kernel/features/places/home-port.ts'
import { awayMoment } from '../../kernel/features/reminders/away.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { OperationCall } from '../../kernel/operations/caller.ts'
import { operationNamed } from '../../kernel/operations/index.ts'
import type { Powers, Store } from '../../kernel/powers/all-powers.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { createShell, type Received } from '../../kernel/runtime/shell.ts'
import type { Shell } from '../../kernel/runtime/shell-port.ts'
import type { PauseCommands } from '../../kernel/task/pause.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Cursor, ImportRows, Page, PartHead } from '../../kernel/tunnel/edge-part.ts'
import type { SyncedLink, SyncedPerson } from '../../kernel/tunnel/synced.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { noticeSinks } from '../directory.ts'
import { askForGrants, createGrantCache, type GrantCache, type HeldGrants } from '../grants.ts'
import { countCalls, createMeter, type Meter } from '../meter.ts'
import { KERNEL_NAME } from '../names.ts'
import { createObjectPause, type HeldUp, heldUp, type ObjectPause } from '../pause.ts'
import { type EdgeEnv, type EdgeSettings, settingsOf } from '../platform/env.ts'
import { type ObjectSpent, spentOf } from '../registry/plan-spent.ts'
import { createStorePart } from '../store-part.ts'
import { type BothLines, createBothLines, type LinesAsk } from './both-lines.ts'
import { answerPage, type PageAsk, type PageView } from './credentials.ts'
import {
  createDeliveries,
  type Deliveries,
  type DeliveryRequest,
  type NumberedDraft,
  type StoredDelivery,
} from './deliveries.ts'
import { createDriver, type Driver } from './driver.ts'
import { createEdgeSealer, type KeyPlace, keyPlace } from './edge-sealer.ts'
import { createGate, type Gate } from './gate.ts'
import { createHomeLine, type HomeLine } from './home-line.ts'
import { createIndexing } from './memory-index.ts'
import {
  createObjectPart,
  type ObjectPart,
  type PartEnd,
  type PartName,
  type PartStart,
} from './object-part.ts'
import { createOwnerChat, notifyInFirst, type OwnerChat } from './owner-chat.ts'
import { createOwnerService, type OwnerService } from './owner-service.ts'
import { buildPowers, type EdgeParts, standardParts } from './powers.ts'
import { applyProfile, createSyncedProfile, type SyncedProfile } from './self.ts'

type Operating = Pick<OperationCall, 'operation' | 'args'> & Pick<OperationCall['caller'], 'sink'>

export class PrincipalObject extends DurableObject<EdgeEnv> {
  readonly #settings: EdgeSettings
  readonly #meter: Meter
  readonly #store: Store
  readonly #powers: Powers
  readonly #shell: Shell
  readonly #driver: Driver
  readonly #deliveries: Deliveries = createDeliveries()
  readonly #gate: Gate
  readonly #profile: SyncedProfile
  readonly #keys: KeyPlace
  readonly #part: ObjectPart
  readonly #grants: GrantCache
  readonly #ownerService: OwnerService
  readonly #chat: OwnerChat
  readonly #lines: BothLines
  readonly #home: HomeLine
  readonly #index: () => Promise<number | null>
  readonly #pause: ObjectPause

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env)
    const settings = settingsOf(env)
    if (!settings.ok) throw new Error('the edge is not configured')
    this.#settings = settings.value
    this.#meter = createMeter(this, ctx.storage)
    const { kv } = ctx.storage
    this.#pause = createObjectPause(kv, env)
    this.#profile = createSyncedProfile(settings.value, env.KERNEL, {
      ...{ principal: () => this.#gate.known() ?? null, pause: this.#pause.take },
      applyProfile: (synced) => this.#gate.known() === OWNER_PRINCIPAL && applyProfile(this.#powers, synced),
      jobs: () => activeJobs(this.#powers),
    })
    this.#keys = keyPlace(ctx, settings.value.sealKey)
    const { nameKey } = settings.value
    this.#gate = createGate({ kv, kernel: env.KERNEL, nameKey, calledBy: ctx.id.name })
    const db = drizzle(ctx.storage)
    this.#store = createStore(db)
    this.#part = createObjectPart({
      kv,
      store: createStorePart(ctx.storage, db),
      gate: this.#gate,
      restart: () => this.#restart('restored'),
      ...this.#keys,
    })
    this.#grants = createGrantCache({ now: () => Date.now(), ask: askForGrants(this.#gate, env.KERNEL) })
    const { known: principal, name } = this.#gate
    this.#ownerService = createOwnerService({ kv, env, settings: settings.value, principal, name })
    this.#chat = createOwnerChat(this.#profile.self)
    const home = { tunnel: env.TUNNEL, self: this.#profile.self, granted: this.#grants.granted }
    this.#home = createHomeLine({ ...home, gate: this.#gate, powers: () => this.#powers })
    this.#powers = this.#build()
    this.#shell = createShell(this.#powers)
    this.#lines = createBothLines(kv, this.#powers, env, this.#home.turns)
    this.#index = createIndexing(this.#powers)
    this.#driver = createDriver({
      ...{ shell: this.#shell, store: this.#store, storage: ctx.storage },
      principal: () => this.#gate.known() ?? null,
      paused: this.#gate.isClosed,
      resting: () => this.#shell.paused() !== null,
      prepare: this.#profile.refresh,
      refresh: () => this.#refresh(),
      bring: () => this.#afterRun(),
      during: this.#meter.during,
    })
    void ctx.blockConcurrencyWhile(async () => {
      migrate(db, STORE_MIGRATIONS)
      await this.#driver.resume()
    })
  }

  /** Parts of this deployment's pipeline. Tests override it to add a channel and a model. */
  protected parts(settings: EdgeSettings): EdgeParts {
    return standardParts(settings, this.ctx.storage.kv)
  }

  /** Stores an event; work starts after the platform got its 2xx (B-25). Refusals: principal_not_allowed, edge_locked, intake's. */
  async receive(principal: string, event: unknown): Promise<Result<Received>> {
    const take = (alone: boolean) =>
      this.#profile.detectLanguage(event).then(() => this.#shell.receive(event, principal, alone))
    const here = { take, withdraw: this.#shell.withdraw }
    return this.#changing(principal, () => this.#lines.receive(event, here))
  }

  /** Requests about the bot that serves both places; a locked edge accepts them, as they are ids. Refusals: edge_locked, of `BothLines`. */
  async bothLines(principal: string, ask: LinesAsk): Promise<Result<boolean>> {
    const speaks = ask.do === 'carry' || ask.do === 'work'
    const own = speaks ? await this.#gate.open(principal) : this.#gate.own(principal)
    if (!own.ok) return own
    const answered = await this.#lines.answer(ask)
    if (this.#lines.isDue(ask)) void this.#driver.drive().catch(() => undefined)
    return answered
  }

  /** Deliveries after a position, oldest first. When there are none, waits for the next one. */
  async deliveries(principal: string, request: DeliveryRequest): Promise<Result<readonly StoredDelivery[]>> {
    return this.#gate.opened(principal, () => this.#deliveries.after(request, this.#shell, this.#driver))
  }

  /** Draft of an answer in a chat of this principal, as far as it may be shown; null when there was none since this object woke. */
  async draft(principal: string, sink: string): Promise<Result<NumberedDraft | null>> {
    return this.#gate.opened(principal, () => this.#deliveries.latest(sink))
  }

  /** What waits for an unreachable chat of the owner, without its content; and a pause in force. */
  async waiting(principal: string): Promise<Result<HeldUp>> {
    return this.#informed(principal, async () => heldUp(this.#shell))
  }

  async report(principal: string, task: string): Promise<Result<TaskReport>> {
    const own = await this.#gate.open(principal)
    if (!own.ok) return own
    const report = await this.#shell.report(task)
    return report === null ? err('task_unknown') : ok(report)
  }

  /** Runs any operation that the edge offers, from the owner's device or chat. Refusals: edge_locked, those of `callOperation`. */
  async operate(principal: string, { sink, ...call }: Operating): Promise<Result<unknown>> {
    const caller = { principal, place: 'edge', door: 'open', sink, message: this.#powers.newId() } as const
    const run = async () => this.#powers.operations?.({ ...call, caller }) ?? err('operation_unknown')
    if (operationNamed(call.operation)?.effect !== 'read') return this.#changing(principal, run)
    const read = await this.#informed(principal, run)
    return read.ok ? read.value : read
  }

  /** Home's connected services have changed: tasks that wait for one go on. */
  async connected(principal: string): Promise<Result<void>> {
    return this.#driver.taking(() => this.#informed(principal, () => this.#shell.connected()))
  }

  /** Home has connected (`here`), or may be gone. A locked edge sends nothing. */
  async homeMoved(principal: string, here: boolean): Promise<Result<true>> {
    const own = this.#gate.own(principal)
    if (own.ok) await this.#home.moved(here)
    return own
  }

  async stop(principal: string, task: string): Promise<Result<{ task: string }>> {
    return this.#changing(principal, () => this.#shell.stop(task))
  }

  /** Durable when it returns, so that the tunnel may acknowledge. Idempotent by the answer's id. */
  async homeAnswered(principal: string, answer: HomeAnswer): Promise<Result<true>> {
    const own = this.#gate.own(principal)
    if (!own.ok) return own
    const { id, task, step } = answer
    // A locked edge cannot seal the answer, so it stores none; the task learns that after the unlocking.
    const taken: HomeAnswer = this.#gate.isLocked()
      ? { id, task, step, ok: false, reason: 'edge_locked' }
      : answer
    return this.#driver.taking(async () => {
      await this.#shell.homeAnswered(taken)
      return ok(true)
    })
  }

  /** Delivers a notice of the edge itself. Refusals: edge_locked, and as for deliveries. */
  async notify(principal: string, notice: Omit<Notice, 'sink' | 'principal'>): Promise<Result<true>> {
    if (notice.code === 'channel_failing') this.#chat.failing(Date.now())
    const sinks = noticeSinks(this.#settings.bot.channel)
    return this.#changing(principal, () => notifyInFirst(this.#powers, sinks, { ...notice, principal }))
  }

  /** A tapped button on a card in the owner's chat with the edge's bot. */
  async tapped(principal: string, tap: CheckedTap): Promise<Result<TapAnswer>> {
    const { kv: kept } = this.ctx.storage
    return this.#changing(principal, () =>
      settleTap({ kept, channel: EDGE_CHAT.name }, { powers: this.#powers, shell: this.#shell }, tap),
    )
  }

  /** A question of another person to the owner, or the owner's answer to it. Refusals: edge_locked, those of `receiveMessage`. */
  async word(principal: string, said: QuestionMessage): Promise<Result<true>> {
    const to = { powers: this.#powers, shell: this.#shell }
    return this.#changing(principal, () => receiveMessage(to, principal, said))
  }

  /** Shows a one-time page, or takes its form. Refusals: nothing_found, edge_locked, those of `sealKeyFor` and of the tunnel. */
  async page(principal: string, ask: PageAsk): Promise<Result<PageView>> {
    const at = { kv: this.ctx.storage.kv, powers: this.#powers, env: this.env }
    return this.#changing(principal, () => answerPage(at, ask))
  }

  /** Linked accounts of this principal, as last synced from home. Only ids, so a locked edge accepts them. */
  async setLinks(principal: string, links: readonly SyncedLink[]): Promise<Result<true>> {
    const own = this.#gate.own(principal)
    if (own.ok) takeLinks(this.#powers, links)
    return own
  }

  /** Agreements with this principal, as last synced from home. Only ids: a locked edge accepts them, and its notice follows later. */
  async setAgreements(principal: string, people: readonly SyncedPerson[]): Promise<Result<true>> {
    const own = this.#gate.own(principal)
    // Not awaited: a slow channel must not delay home's next frame.
    for (const notice of own.ok ? takeAgreements(this.#powers, people) : [])
      void this.#changing(principal, () => deliverNotice(this.#powers, notice)).catch(() => undefined)
    return own
  }

  /**
   * Earlier chat lines for the same person's task under another account (F-15). Refusals: edge_locked, those of
   * `KernelObject.linked` and of `linesFor`.
   */
  async linkedLines(principal: string, asker: Asker): Promise<Result<readonly LinkedLine[]>> {
    const own = await this.#gate.open(principal)
    if (!own.ok) return own
    const linked = await this.env.KERNEL.getByName(KERNEL_NAME).linked(principal, asker.principal)
    return linked.ok ? linesFor(this.#powers, principal, asker) : linked
  }

  /** The owner's grants to people who ask, as last synced from home. */
  async setGrants(held: HeldGrants): Promise<void> {
    this.#grants.replace(held)
  }

  /** What this object counted of the edge's plan. */
  async spent(): Promise<ObjectSpent> {
    return spentOf(this.#store)
  }

  async locked(): Promise<boolean> {
    return this.#gate.isLocked()
  }

  /**
   * Locking restarts the object as a locked one (T-10): the unwrapped key, open values and running work are lost at once, and open
   * tasks are found as after any eviction. So a call that locks ends in an error; ask `locked` for the result.
   */
  async setLocked(locked: boolean): Promise<void> {
    if (this.#gate.isLocked() === locked) return
    this.#gate.setLocked(locked)
    // Rejects only when storage fails; the next event's alarm retries.
    if (!locked) return void this.#driver.drive().catch(() => undefined)
    await this.#restart('locked')
  }

  /** The pause as KernelObject has it. Work that was held up goes on. */
  async setPause(words: PauseCommands): Promise<void> {
    if (this.#pause.take(words)) void this.#driver.drive().catch(() => undefined)
  }

  /** Head of this part for home's backup, before its rows. Refusals: nothing_found, edge_locked, seal_key_missing. */
  async partHead(sealTo: Uint8Array): Promise<Result<PartHead>> {
    return this.#part.head(sealTo)
  }

  /** Refusals: edge_locked, record_stale, nothing_found. */
  async partPage(moment: string, cursor: Cursor | null): Promise<Result<Page>> {
    return this.#part.page(moment, cursor)
  }

  /**
   * Starts an import of a lost edge's rows. True when this part was imported before. Refusals: edge_locked, edge_not_empty,
   * version_incompatible.
   */
  async beginPart(part: PartStart): Promise<Result<boolean>> {
    return this.#part.begin(part)
  }

  async addToPart(part: PartName, page: ImportRows): Promise<Result<true>> {
    return this.#part.add(part, page)
  }

  /** Restarts the object, so that no earlier state stays in memory: the caller sees an error, and asks again. */
  async endPart(part: PartEnd): Promise<Result<true>> {
    return this.#part.end(part)
  }

  override async alarm(): Promise<void> {
    await this.#driver.rang()
  }

  #build(): Powers {
    const { env } = this
    const { timezone, self } = this.#profile
    const { wake, drafts } = this.#deliveries
    return buildPowers({
      ...{ settings: this.#settings, store: this.#store, parts: this.parts(this.#settings) },
      ...{ tunnel: env.TUNNEL, principals: env.PRINCIPALS, kernel: env.KERNEL, kv: this.ctx.storage.kv },
      ...{ principal: this.#gate.known, name: this.#gate.name, home: this.#home.link },
      ...{ timezone, self, wake, drafts, ownerService: this.#ownerService },
      ...{ chat: this.#chat, pause: this.#pause, metered: this.#meter.take },
      shell: () => this.#shell,
      sealer: createEdgeSealer({ ...this.#keys, locked: () => this.#gate.isLocked() }),
    })
  }

  /** Also checks whether a bot that had stopped working works again, and reads home's last sync for reminders of home. */
  async #refresh(): Promise<void> {
    this.#home.turns.begin()
    await this.#grants.refresh()
    const now = Date.now()
    if ((awayMoment(this.#powers) ?? Infinity) <= now || this.#chat.isRecheckDue(now))
      await this.#profile.refresh()
  }

  async #afterRun(): Promise<number | null> {
    if (this.#chat.justStoppedWorking()) putElsewhere(this.#powers, EDGE_CHAT.sink)
    const owed = await this.#pause.bring()
    // During a pause nobody is asked or notified; what waits is delivered afterwards.
    const others =
      this.#shell.paused() === null
        ? [await this.#ownerService.deliverAnswers(), await this.#lines.look()]
        : []
    const own = [owed, await this.#index(), await this.#home.turns.look()]
    const due = Math.min(...[...own, ...others].map((at) => at ?? Infinity))
    return Number.isFinite(due) ? due : null
  }

  /** Runs `ask` after a refresh of what home has synced. */
  async #informed<T>(principal: string, ask: () => Promise<T>): Promise<Result<T>> {
    return this.#gate.opened(principal, () => this.#profile.refresh().then(ask))
  }

  async #changing<T>(principal: string, change: () => Promise<Result<T>>): Promise<Result<T>> {
    const own = await this.#gate.open(principal)
    return own.ok ? this.#driver.taking(change) : own
  }

  /** A locked or restored object restarts with no earlier state in memory. */
  async #restart(why: 'locked' | 'restored'): Promise<void> {
    await this.ctx.storage.sync()
    this.ctx.abort(why)
  }
}

countCalls(PrincipalObject)
