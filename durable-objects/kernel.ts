/**
 * KernelObject: what the edge keeps for the owner as a whole: a cached copy of his profile, which home decides (DESIGN
 * §1), home's public key, his devices, the audit of the link, and whether the edge is locked (T-10), with the names of all objects that must
 * know. Home is the authority; nothing here outranks it. Written by TunnelObject and the Worker's routes, which have
 * checked a signature or a code; read by PrincipalObjects once per wake.
 */
import { DurableObject } from 'cloudflare:workers'
import { err, ok, type ReasonFacts, type Result } from '../kernel/flow/verdict.ts'
import type { BreakerState, Meaning } from '../kernel/inference/breaker.ts'
import type { Spent } from '../kernel/inference/budget.ts'
import type { LiveLink } from '../kernel/powers/link-desk-port.ts'
import type { ToldSelf } from '../kernel/self/told.ts'
import { type Pause, type PauseTold, type PauseWord, pauseIn } from '../kernel/task/pause.ts'
import type { Cursor, Page, PartHead, RegistryPart } from '../kernel/tunnel/edge-part.ts'
import type { ToldGrant } from '../kernel/tunnel/told-grants.ts'
import type { ToldLink } from '../kernel/tunnel/told-links.ts'
import type { ToldPerson } from '../kernel/tunnel/told-people.ts'
import { type EdgeEnv, settingsOf } from '../worker/env.ts'
import type { DeviceKey, SignedBy } from '../worker/signature.ts'
import { type Alarms, createAlarms } from './alarms.ts'
import { type BotDesk, createBotDesk } from './bot-desk.ts'
import { createDayShares, type DayShares } from './day-share.ts'
import { createDenials, type DenialSource, type Denials } from './denials.ts'
import { createDevices, type Devices } from './devices.ts'
import { createEdgeFaults } from './edge-faults.ts'
import { createEdgeGrants, type EdgeGrants, type HeldGrants } from './grants.ts'
import { createHomeNews, type HomeNews } from './home-news.ts'
import { createHomeWatch, type HomeWatch } from './home-watch.ts'
import { createKernelAudit, type KernelAudit } from './kernel-audit.ts'
import { createEdgeLinks, type EdgeLinks } from './links.ts'
import { createModelBreakers, type EdgeModelBreakers } from './model-breakers.ts'
import type { Admitted } from './models.ts'
import { TUNNEL_NAME } from './names.ts'
import { createObjectRegister, type ObjectRegister } from './object-register.ts'
import { createOwnerLine, type OwnerLine } from './owner-line.ts'
import { createPairing, type Pairing, type PairRequest } from './pairing.ts'
import { createEdgePause, type EdgePause } from './pause.ts'
import { createEdgePeople, type EdgePeople } from './people.ts'
import { createProfileShelf, type EdgeProfile, type ProfileShelf, type Told } from './profile.ts'
import { createRecovery, type Recovery, type ReplacedHome } from './recovery.ts'
import { createRegistryShelf, type EdgeStores, type RegistryShelf } from './registry-part.ts'
import { createSealKey, type KeyRequest, type SealKey } from './seal-key.ts'
import type { MetStranger } from './strangers.ts'

export class KernelObject extends DurableObject<EdgeEnv> {
  readonly #audit: KernelAudit
  readonly #owner: OwnerLine
  readonly #register: ObjectRegister
  readonly #profile: ProfileShelf
  readonly #devices: Devices
  readonly #pairing: Pairing
  readonly #denials: Denials
  readonly #sealKey: SealKey
  readonly #recovery: Recovery
  readonly #registry: RegistryShelf
  readonly #watch: HomeWatch
  readonly #news: HomeNews
  readonly #links: EdgeLinks
  readonly #grants: EdgeGrants
  readonly #people: EdgePeople
  readonly #alarms: Alarms
  readonly #models: EdgeModelBreakers
  readonly #shares: DayShares
  readonly #bot: BotDesk
  readonly #pause: EdgePause

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env)
    const settings = settingsOf(env)
    if (!settings.ok) throw new Error('the edge is not configured')
    const { devices: configured, firstCode: first, nameKey } = settings.value
    const { kv } = ctx.storage
    const now = (): number => Date.now()
    this.#audit = createKernelAudit(ctx.storage)
    this.#owner = createOwnerLine(env, nameKey)
    const faults = createEdgeFaults(this.#audit, this.#owner)
    this.#register = createObjectRegister(kv, env)
    this.#pause = createEdgePause(kv, env, this.#register.names)
    this.#profile = createProfileShelf(kv)
    this.#devices = createDevices(kv, { configured, now })
    this.#pairing = createPairing(kv, { devices: this.#devices, first, now })
    this.#alarms = createAlarms(ctx.storage)
    this.#links = createEdgeLinks({
      ...{ kv, env, nameKey },
      wakeAt: (at) => this.#alarms.wakeAt('links', at),
    })
    this.#grants = createEdgeGrants(kv, env)
    this.#people = createEdgePeople({ kv, env, nameKey })
    this.#watch = createHomeWatch(kv, {
      ...{ now, seenAt: () => env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt() },
      tell: faults.home,
      wakeAt: (at) => this.#alarms.wakeAt('watch', at),
    })
    this.#news = createHomeNews({
      ...{ kv, now, deployed: env.DEPLOYED?.id },
      self: this.#profile.self,
      tell: this.#owner.tell,
    })
    this.#models = createModelBreakers({
      ...{ kv, models: settings.value.models, now },
      trouble: faults.setting,
      news: faults.model,
    })
    this.#shares = createDayShares(kv, settings.value.budget)
    this.#bot = createBotDesk({
      ...{ kv, now, settings: settings.value, alarms: this.#alarms },
      timezone: () => this.#profile.profile()?.timezone,
      paused: this.#pause.holds,
      tell: this.#owner.tell,
      note: this.#audit.note,
    })
    this.#denials = createDenials(kv, {
      ...{ now, write: (facts) => this.#audit.note('denial', facts) },
      wakeAt: (at) => this.#alarms.wakeAt('denials', at),
    })
    this.#sealKey = createSealKey({ kv, now, note: this.#audit.note, deny: this.#denials.deny })
    this.#registry = createRegistryShelf({
      ...{ kv, devices: this.#devices, audit: this.#audit, profile: this.#profile },
      ...{ register: this.#register, sealKey: this.#sealKey },
    })
    this.#recovery = createRecovery({
      ...{ kv, devices: this.#devices, note: this.#audit.note, deny: this.#denials.deny },
      disconnect: (device) => env.TUNNEL.getByName(TUNNEL_NAME).disconnect(device),
      tell: this.#owner.tell,
    })
  }

  /** Refusal: config_malformed for a zone that this platform does not know: every date would be wrong. */
  async setProfile(profile: EdgeProfile): Promise<Result<true>> {
    return this.#profile.setProfile(profile)
  }

  /** What the assistant is called, and what is connected at home. */
  async setSelf(self: ToldSelf): Promise<Result<true>> {
    this.#profile.setSelf(self)
    return ok(true)
  }

  /** What a principal's object needs to know at its start; null where home has pushed nothing yet. */
  async told(): Promise<Told> {
    await this.#models.tellTrouble()
    const [profile, sealKey] = [this.#profile.profile(), this.#sealKey.current()]
    return {
      profile,
      self: this.#profile.self() ?? null,
      bot: this.#bot.works(),
      sealKey,
      pause: this.#pause.words(),
    }
  }

  /** Null until home has pushed one. */
  async profile(): Promise<EdgeProfile | null> {
    return this.#profile.profile()
  }

  /** All links that are live; whoever they concern knows when this returns, and so does who they no longer do. */
  async setLinks(links: readonly ToldLink[]): Promise<Result<true>> {
    return this.#links.set(links)
  }

  /** Links that hold here, for the owner. */
  async liveLinks(): Promise<readonly LiveLink[]> {
    return this.#links.live()
  }

  /** At the owner's word. Whoever could not be told is told by the alarm. Refusal: identity_unknown. */
  async endLink(id: string): Promise<Result<true>> {
    return this.#links.end(id)
  }

  /** Whether two principals are one person at this moment. Refusals: principal_not_allowed; home_offline. */
  async linked(one: string, other: string): Promise<Result<true>> {
    return this.#links.linked(one, other)
  }

  /** All grants that are live, by home's clock; strangers' objects that run know when this returns. */
  async setGrants(grants: readonly ToldGrant[], ahead: number): Promise<Result<true>> {
    return this.#grants.set(grants, ahead)
  }

  /** All agreements that are live; whoever they concern knows when this returns, and so does who they no longer do. */
  async setPeople(people: readonly ToldPerson[]): Promise<Result<true>> {
    return this.#people.set(people)
  }

  /** Principals of live agreements: nobody else's object need be woken to know that he has none. */
  async paired(): Promise<readonly string[]> {
    return this.#people.principals(Date.now())
  }

  /** Somebody wrote, and heard nothing: counted, unless he turns out to be paired. A locked edge keeps nothing of anybody. */
  async met(stranger: MetStranger): Promise<boolean> {
    if (stranger.asked !== true && this.#people.principals(Date.now()).includes(stranger.principal))
      return true
    if (!this.#register.isLocked()) this.#bot.met(stranger)
    return false
  }

  /** For the object of this name, which is told of each change from now on. */
  async grantsFor(name: string): Promise<HeldGrants> {
    return this.#grants.of(name)
  }

  /** From home, which has its private half. */
  async setSealKey(key: string): Promise<Result<true>> {
    this.#sealKey.set(key)
    return ok(true)
  }

  /** The key for one typed secret, with a line of the audit: its name. Refusals: edge_locked, remote_rate_limited, seal_key_missing. */
  async sealKeyFor(of: KeyRequest): Promise<Result<string>> {
    if (this.#register.isLocked()) return err('edge_locked')
    return this.#sealKey.take(of)
  }

  /** Before a call of a model, for whichever principal: every one of them meets the same breaker (D-14). */
  async enterModel(provider: string): Promise<Admitted> {
    return this.#models.enter(provider)
  }

  async leaveModel(provider: string, meaning: Meaning): Promise<BreakerState> {
    return this.#models.leave(provider, meaning)
  }

  /** What the object of this name may spend on models on that day, out of one cap for all (B-37). */
  async reserveSpend(name: string, day: string, need: Spent): Promise<Spent> {
    return this.#shares.reserve(name, day, need)
  }

  async devices(): Promise<readonly DeviceKey[]> {
    return this.#devices.active()
  }

  /** Once per signature, of a device that is enrolled now. Refusals: device_revoked, event_stale. */
  async admit(signed: SignedBy): Promise<Result<true>> {
    const admitted = this.#devices.admit(signed)
    if (!admitted.ok) this.#denials.deny('link', { code: admitted.reason.code, device: signed.device })
    return admitted
  }

  /** As `admit`, for the one device that writes the copies of home. Refusals: those, principal_not_allowed. */
  async admitWriter(signed: SignedBy): Promise<Result<true>> {
    const admitted = await this.admit(signed)
    return admitted.ok ? this.#recovery.claim(signed.device) : admitted
  }

  /** Key that may read the copies and enrol a new home; null before the first copy. */
  async recoveryKey(): Promise<string | null> {
    return this.#recovery.key()
  }

  /** `by`: the writer of the copies, which the Worker has admitted. */
  async setRecoveryKey(key: string, by: string): Promise<void> {
    this.#recovery.setKey(key, by)
  }

  /** Once per signature of the recovery key. `what` goes into the audit, if anything. Refusal: event_stale. */
  async admitRecovery(signed: SignedBy, what: 'copies' | null): Promise<Result<true>> {
    return this.#recovery.admit(signed, what)
  }

  /** Puts a new home in the place of the former one, whose tunnel is closed before this returns. Refusal: pairing_refused. */
  async replaceHome(publicKey: Uint8Array): Promise<Result<ReplacedHome>> {
    return this.#recovery.replaceHome(publicKey)
  }

  /** For home's backup: names of all objects, and home's key; the audit says who asked (`by`). Refusals: edge_locked, seal_key_missing. */
  async stores(by: string | null): Promise<Result<EdgeStores>> {
    return this.#registry.stores(by)
  }

  /** Whether there is an object of this name. */
  async isStore(name: string): Promise<boolean> {
    return this.#register.has(name)
  }

  /** The registry, and the audit of the link as its rows: lines are only added, so that each page holds whatever comes. */
  async registryHead(): Promise<PartHead> {
    return this.#registry.head()
  }

  async registryPage(cursor: Cursor | null): Promise<Result<Page>> {
    return this.#registry.page(cursor)
  }

  /** Into a registry that knows of nobody but who asks. Refusals: edge_not_empty, event_malformed, pairing_refused. */
  async restoreRegistry(
    part: { readonly id: string; readonly registry: RegistryPart },
    by: string,
  ): Promise<Result<true>> {
    return this.#registry.restore(part, by)
  }

  /** A line of the audit: rows of a lost edge have come back. `object`: its name, a keyed hash. */
  async noteRestored(object: string, by: string): Promise<void> {
    this.#audit.note('restored', { object, by })
  }

  /** Refusal: pairing_refused. */
  async pair(request: PairRequest): Promise<Result<{ readonly mac: Uint8Array }>> {
    const paired = this.#pairing.pair(request)
    if (paired.ok) this.#audit.note('device_enrolled', { device: paired.value.device })
    else this.#denials.deny('pairing', { code: paired.reason.code })
    return paired.ok ? ok({ mac: paired.value.mac }) : paired
  }

  /** `by`: the device that asks for it. */
  async openCode(key: Uint8Array, by: string): Promise<void> {
    this.#pairing.open(key)
    this.#audit.note('credential_issued', { of: 'pairing', device: by })
  }

  /** Its signatures stop counting, and its tunnel is closed, before this returns. Refusal: nothing_found. */
  async revoke(id: string, by: string): Promise<Result<true>> {
    const revoked = this.#devices.revoke(id)
    if (revoked) this.#audit.note('device_revoked', { device: id, by })
    else if (!this.#devices.isRevoked(id)) return err('nothing_found')
    // Asked again after the tunnel could not be told, it is told now.
    await this.env.TUNNEL.getByName(TUNNEL_NAME).disconnect(id)
    return ok(true)
  }

  /** A line of the audit of the link for what was refused elsewhere at the edge; a flood is counted instead. */
  async denied(of: DenialSource, facts: ReasonFacts): Promise<void> {
    this.#denials.deny(of, facts)
  }

  override async alarm(): Promise<void> {
    this.#alarms.rang()
    this.#denials.close()
    await this.#links.look()
    await this.#watch.look()
    await this.#bot.look()
  }

  /** Home has greeted: from now on it is missed when it stays away (E-17). */
  async homeGreeted(): Promise<void> {
    this.#watch.greeted()
    this.#bot.begin()
    await this.#news.greeted()
  }

  async homeIncompatible(theirs: number, ours: number): Promise<void> {
    await this.#news.incompatible(theirs, ours)
  }

  /** Home made a backup at this time, by the edge's clock (epoch milliseconds). */
  async backedUp(at: number): Promise<void> {
    this.#watch.backedUp(at)
  }

  /** Notes an object, by its name, which is a keyed hash; answers whether the edge is locked. */
  async join(name: string): Promise<boolean> {
    return this.#register.join(name)
  }

  /** The owner's word of pausing, said at the edge. Throws when an object could not be told. */
  async pauseSaid(word: PauseWord | null): Promise<void> {
    await this.#pause.said(word)
  }

  /** The same, said at home. */
  async pauseHeard(told: PauseTold): Promise<void> {
    await this.#pause.heard(told)
  }

  /** A pause that holds now, for its owner. */
  async paused(): Promise<Pause | null> {
    return pauseIn({ ...this.#pause.words(), over: null })
  }

  /** Durable here first, then at every object. Throws when one could not be told. */
  async setLocked(locked: boolean): Promise<Result<true>> {
    await this.#register.setLocked(locked)
    return ok(true)
  }
}
