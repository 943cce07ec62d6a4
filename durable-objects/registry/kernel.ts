/**
 * KernelObject: the edge's state for the owner as a whole: a copy of the profile that home decides (DESIGN §1), home's public key, the devices, the
 * audit of the link, the lock (T-10), and the names of all objects. Home is the authority; nothing here outranks it. Written by TunnelObject and by the
 * Worker's routes, which have checked a signature or a code; read by PrincipalObjects once per wake.
 */
import { DurableObject } from 'cloudflare:workers'
import { EDGE_CHAT } from '../../integrations/channels/index.ts'
import type { LiveLink } from '../../kernel/features/identities/port.ts'
import type { PlanReport } from '../../kernel/features/usage/plan.ts'
import { err, ok, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import type { Spent } from '../../kernel/inference/budget.ts'
import type { BreakerState, Meaning } from '../../kernel/powers/breaker.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import { type Pause, type PauseCommand, type PauseSync, pauseIn } from '../../kernel/task/pause.ts'
import type { Cursor, Page, PartHead, RegistryPart } from '../../kernel/tunnel/edge-part.ts'
import type { SyncedGrant, SyncedLink, SyncedPerson } from '../../kernel/tunnel/synced.ts'
import { createDayShares, type DayShares } from '../day-share.ts'
import { createEdgeGrants, type EdgeGrants, type HeldGrants } from '../grants.ts'
import { countCalls, createKeptMeter, type KeptMeter } from '../meter.ts'
import { type Admitted, createModelBreakers, type EdgeModelBreakers } from '../models.ts'
import { TUNNEL_NAME } from '../names.ts'
import { createEdgePause, type EdgePause } from '../pause.ts'
import { type EdgeEnv, settingsOf } from '../platform/env.ts'
import type { DeviceKey, SignedBy } from '../platform/signature.ts'
import {
  createDenials,
  createKernelAudit,
  type DenialSource,
  type Denials,
  type KernelAudit,
} from './audit.ts'
import { type ChannelHealth, createChannelHealth } from './channel-health.ts'
import { createDevices, createPairing, type Devices, type Pairing, type PairRequest } from './devices.ts'
import { createHomeNews, createHomeWatch, type HomeNews, type HomeWatch } from './home-watch.ts'
import { createEdgeLinks, type EdgeLinks } from './links.ts'
import { createObjectRegister, type ObjectRegister } from './object-register.ts'
import { createEdgePeople, type EdgePeople } from './people.ts'
import { spentOnPlan } from './plan-spent.ts'
import { type Alarms, createAlarms, createEdgeFaults, type KernelPorts, ownerLine } from './ports.ts'
import {
  createProfileStore,
  createSealKey,
  type EdgeProfile,
  type KeyRequest,
  type ProfileChange,
  type ProfileStore,
  type SealKey,
  type SyncedProfileState,
} from './profile.ts'
import { createRecovery, type Recovery, type ReplacedHome } from './recovery.ts'
import { createRegistryStore, type EdgeStores, type RegistryStore } from './registry-part.ts'
import { createStrangers, type MetStranger, type Strangers } from './strangers.ts'

export class KernelObject extends DurableObject<EdgeEnv> {
  readonly #audit: KernelAudit
  readonly #register: ObjectRegister
  readonly #profile: ProfileStore
  readonly #devices: Devices
  readonly #pairing: Pairing
  readonly #denials: Denials
  readonly #sealKey: SealKey
  readonly #recovery: Recovery
  readonly #registry: RegistryStore
  readonly #meter: KeptMeter
  readonly #watch: HomeWatch
  readonly #news: HomeNews
  readonly #links: EdgeLinks
  readonly #grants: EdgeGrants
  readonly #people: EdgePeople
  readonly #alarms: Alarms
  readonly #models: EdgeModelBreakers
  readonly #shares: DayShares
  readonly #strangers: Strangers
  readonly #health: ChannelHealth
  readonly #pause: EdgePause

  constructor(ctx: DurableObjectState, env: EdgeEnv) {
    super(ctx, env)
    const settings = settingsOf(env)
    if (!settings.ok) throw new Error('the edge is not configured')
    const { devices: configured, firstCode: first, nameKey, sealKey, models, bot } = settings.value
    this.#meter = createKeptMeter(this, ctx.storage)
    const { kv } = ctx.storage
    const now = (): number => Date.now()
    this.#alarms = createAlarms(ctx.storage)
    this.#audit = createKernelAudit(ctx.storage)
    const { note } = this.#audit
    const tell = ownerLine({ env, nameKey })
    const portsOf = (part: string): KernelPorts => ({
      ...{ kv, env, nameKey, now, tell, note },
      wakeAt: (at) => this.#alarms.wakeAt(part, at),
    })
    const faults = createEdgeFaults({ note, tell })
    this.#register = createObjectRegister(kv, env)
    this.#pause = createEdgePause(kv, env, this.#register.names)
    this.#profile = createProfileStore(kv)
    this.#devices = createDevices(kv, { configured, now })
    this.#pairing = createPairing(kv, { devices: this.#devices, first, now })
    this.#links = createEdgeLinks(portsOf('links'))
    this.#grants = createEdgeGrants(kv, env)
    this.#people = createEdgePeople(portsOf('people'))
    const seenAt = () => env.TUNNEL.getByName(TUNNEL_NAME).homeSeenAt()
    this.#watch = createHomeWatch(kv, { ...portsOf('watch'), seenAt, tell: faults.home })
    this.#news = createHomeNews({ kv, now, tell, deployed: env.DEPLOYED?.id, self: this.#profile.self })
    this.#models = createModelBreakers({ kv, models, now, trouble: faults.setting, news: faults.model })
    this.#shares = createDayShares(kv, settings.value.budget)
    this.#strangers = createStrangers({
      ...portsOf('strangers'),
      sealKey,
      tell: async (notice) => !this.#pause.holds() && (await tell(notice)),
      timezone: () => this.#profile.profile()?.timezone ?? settings.value.timezone,
    })
    const { channel } = bot
    this.#health = createChannelHealth({
      ...portsOf('health'),
      check: channel === null ? null : (since) => channel.check(since),
      note: (trouble) => note('fault', { code: 'channel_failing', trouble }),
      tell: (notice) => tell({ ...notice, about: EDGE_CHAT.title }),
    })
    this.#denials = createDenials(portsOf('denials'))
    const { deny } = this.#denials
    this.#sealKey = createSealKey({ kv, now, note, deny })
    this.#registry = createRegistryStore({
      ...{ kv, devices: this.#devices, audit: this.#audit, profile: this.#profile },
      ...{ register: this.#register, sealKey: this.#sealKey },
    })
    this.#recovery = createRecovery({
      ...{ kv, devices: this.#devices, note, deny, tell },
      disconnect: (device) => env.TUNNEL.getByName(TUNNEL_NAME).disconnect(device),
    })
  }

  /** Refusal: config_malformed for a time zone that this platform does not know, which would make every date wrong. */
  async setProfile(profile: EdgeProfile): Promise<Result<ProfileChange>> {
    return this.#profile.setProfile(profile)
  }

  /** The assistant's name, and the services connected at home. */
  async setSelf(self: SyncedSelf): Promise<Result<true>> {
    this.#profile.setSelf(self)
    return ok(true)
  }

  /** What a principal's object needs when it starts; null for fields that home has not synced. `heard`: language of a message. */
  async syncedFor(principal: string | null, heard: string | null = null): Promise<SyncedProfileState> {
    await this.#models.tellTrouble()
    const [profile, sealKey] = [this.#profile.profileFor(principal), this.#sealKey.current()]
    return {
      ...{ profile, language: this.#profile.language(heard) },
      self: this.#profile.self() ?? null,
      bot: this.#health.works(),
      sealKey,
      pause: this.#pause.words(),
    }
  }

  /** Null until the first sync from home. */
  async profile(): Promise<EdgeProfile | null> {
    return this.#profile.profile()
  }

  /** Replaces the links by all that are live. Resolves when every principal concerned has them, or knows that they ended. */
  async setLinks(links: readonly SyncedLink[]): Promise<Result<true>> {
    return this.#links.set(links)
  }

  /** Links that are valid here, for the owner. */
  async liveLinks(): Promise<readonly LiveLink[]> {
    return this.#links.live()
  }

  /** Ends a link at the owner's request. The alarm retries objects that could not be reached. Refusal: identity_unknown. */
  async endLink(id: string): Promise<Result<true>> {
    return this.#links.end(id)
  }

  /** Whether two principals are one person now. Refusals: principal_not_allowed; home_offline. */
  async linked(one: string, other: string): Promise<Result<true>> {
    return this.#links.linked(one, other)
  }

  /**
   * Replaces the grants by all that are live. `ahead`: as `EdgeGrants.set`. Resolves when every stranger's object with grants has
   * them.
   */
  async setGrants(grants: readonly SyncedGrant[], ahead: number): Promise<Result<true>> {
    return this.#grants.set(grants, ahead)
  }

  /** Replaces the agreements by all that are live, and whether anybody else may ask. Resolves when every principal concerned has them, or knows that they ended. */
  async setPeople(people: readonly SyncedPerson[], closed = false): Promise<Result<true>> {
    return this.#people.set(people, closed)
  }

  /** Principals with a live agreement, and `NOBODY_ELSE` if set. No object of anybody else needs to be woken. */
  async paired(): Promise<readonly string[]> {
    return this.#people.principals(Date.now())
  }

  /** Counts an unknown sender who got no answer, unless that principal is paired by now. A locked edge stores nothing about anybody. */
  async met(stranger: MetStranger): Promise<boolean> {
    if (stranger.asked !== true && this.#people.principals(Date.now()).includes(stranger.principal))
      return true
    if (!this.#register.isLocked()) this.#strangers.met(stranger)
    return false
  }

  /** Grants for the object of this name, which receives every later change. */
  async grantsFor(name: string): Promise<HeldGrants> {
    return this.#grants.of(name)
  }

  /** Stores home's public key; home alone has the private half. */
  async setSealKey(key: string): Promise<Result<true>> {
    this.#sealKey.set(key)
    return ok(true)
  }

  /**
   * The public key to seal one typed secret with; an audit line records the secret's name. Refusals: edge_locked,
   * remote_rate_limited, seal_key_missing.
   */
  async sealKeyFor(of: KeyRequest): Promise<Result<string>> {
    if (this.#register.isLocked()) return err('edge_locked')
    return this.#sealKey.take(of)
  }

  /** Asked before each model call, for every principal, so that all share one breaker (D-14). */
  async enterModel(provider: string): Promise<Admitted> {
    return this.#models.enter(provider)
  }

  async leaveModel(provider: string, meaning: Meaning): Promise<BreakerState> {
    return this.#models.leave(provider, meaning)
  }

  /** What the object of this name may spend on models on that day, out of one cap for all objects (B-37). */
  async reserveSpend(name: string, day: string, need: Spent): Promise<Spent> {
    return this.#shares.reserve(name, day, need)
  }

  async devices(): Promise<readonly DeviceKey[]> {
    return this.#devices.active()
  }

  /** Accepts each signature of an enrolled device once. Refusals: device_revoked, event_stale. */
  async admit(signed: SignedBy): Promise<Result<true>> {
    const admitted = this.#devices.admit(signed)
    if (!admitted.ok) this.#denials.deny('link', { code: admitted.reason.code, device: signed.device })
    return admitted
  }

  /** As `admit`, for the one device that writes the copies of home. Refusals: as `admit`, and principal_not_allowed. */
  async admitWriter(signed: SignedBy): Promise<Result<true>> {
    const admitted = await this.admit(signed)
    return admitted.ok ? this.#recovery.claim(signed.device) : admitted
  }

  /** The key that may read the copies and enrol a new home; null before the first copy. */
  async recoveryKey(): Promise<string | null> {
    return this.#recovery.key()
  }

  /** `by`: the device that writes the copies; the Worker has checked its signature. */
  async setRecoveryKey(key: string, by: string): Promise<void> {
    this.#recovery.setKey(key, by)
  }

  /** Accepts each signature of the recovery key once. `what` names the audit line to write; null for none. Refusal: event_stale. */
  async admitRecovery(signed: SignedBy, what: 'copies' | null): Promise<Result<true>> {
    return this.#recovery.admit(signed, what)
  }

  /** Enrols a new home and revokes the former one, whose tunnel is closed before this returns. Refusal: pairing_refused. */
  async replaceHome(publicKey: Uint8Array): Promise<Result<ReplacedHome>> {
    return this.#recovery.replaceHome(publicKey)
  }

  /**
   * For home's backup: names of all objects, and home's public key. An audit line records the caller (`by`). Refusals: edge_locked,
   * seal_key_missing.
   */
  async stores(by: string | null): Promise<Result<EdgeStores>> {
    return this.#registry.stores(by)
  }

  /** Whether an object of this name exists. */
  async isStore(name: string): Promise<boolean> {
    return this.#register.has(name)
  }

  /** The registry, and the audit of the link as rows. Lines are only appended, so pages stay consistent while new ones arrive. */
  async registryHead(): Promise<PartHead> {
    return this.#registry.head()
  }

  async registryPage(cursor: Cursor | null): Promise<Result<Page>> {
    return this.#registry.page(cursor)
  }

  /** Restores the registry, if it knows no device but the caller's. Refusals: edge_not_empty, event_malformed, pairing_refused. */
  async restoreRegistry(
    part: { readonly id: string; readonly registry: RegistryPart },
    by: string,
  ): Promise<Result<true>> {
    return this.#registry.restore(part, by)
  }

  /** Audits that rows of a lost edge were restored. `object`: its name, a keyed hash. */
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

  /** `by`: the device that requests the code. */
  async openCode(key: Uint8Array, by: string): Promise<void> {
    this.#pairing.open(key)
    this.#audit.note('credential_issued', { of: 'pairing', device: by })
  }

  /** Revokes a device: its signatures are refused and its tunnel is closed before this returns. Refusal: nothing_found. */
  async revoke(id: string, by: string): Promise<Result<true>> {
    const revoked = this.#devices.revoke(id)
    if (revoked) this.#audit.note('device_revoked', { device: id, by })
    else if (!this.#devices.isRevoked(id)) return err('nothing_found')
    // A repeated call closes the tunnel that the first one could not reach.
    await this.env.TUNNEL.getByName(TUNNEL_NAME).disconnect(id)
    return ok(true)
  }

  /** Audits a refusal made elsewhere at the edge; a flood is counted instead. */
  async denied(of: DenialSource, facts: ReasonFacts): Promise<void> {
    this.#denials.deny(of, facts)
  }

  override async alarm(): Promise<void> {
    this.#alarms.rang()
    this.#denials.close()
    await this.#links.look()
    await this.#watch.look()
    await this.#strangers.look()
    await this.#health.look()
  }

  /** Home has connected: from now on its absence is noticed (E-17). */
  async homeGreeted(): Promise<void> {
    this.#watch.greeted()
    this.#health.begin()
    await this.#news.greeted()
  }

  async homeIncompatible(theirs: number, ours: number): Promise<void> {
    await this.#news.incompatible(theirs, ours)
  }

  /** Home made a backup at this time, by the edge's clock (epoch milliseconds). */
  async backedUp(at: number): Promise<void> {
    this.#watch.backedUp(at)
  }

  /** Registers an object by its name, which is a keyed hash. Returns whether the edge is locked. */
  async join(name: string): Promise<boolean> {
    return this.#register.join(name)
  }

  /** What the whole edge has used of its plan. */
  async spentOnPlan(): Promise<PlanReport> {
    return spentOnPlan(this.env, this.#register.names(), this.#meter.spent())
  }

  /** The owner paused or resumed the assistant at the edge. Throws when an object could not be reached. */
  async setEdgePause(word: PauseCommand | null): Promise<void> {
    await this.#pause.setByEdge(word)
  }

  /** The same, synced from home. */
  async setHomePause(synced: PauseSync): Promise<void> {
    await this.#pause.setByHome(synced)
  }

  /** The pause in force now, for the owner; null for none. */
  async paused(): Promise<Pause | null> {
    return pauseIn({ ...this.#pause.words(), over: null })
  }

  /** Stored here first, then at every object. Throws when one could not be reached. */
  async setLocked(locked: boolean): Promise<Result<true>> {
    await this.#register.setLocked(locked)
    return ok(true)
  }
}

countCalls(KernelObject)
