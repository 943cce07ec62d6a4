/**
 * Secrets that were typed at the edge (E-02, L-12, DESIGN §1): each stays in its box until the owner accepts it here with the check word shown where it
 * was typed. Until then none is used, under a new name or an existing one, because a compromised edge could substitute its own account. Must not return a
 * value. Called by the tunnel's inbox, secret-methods.ts, the rotation job and `pfar secret`.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { checkWordOf, isCheckWord } from './check-word.ts'
import type { Looked } from './credential-service.ts'
import type { SealingKey } from './sealing-key.ts'
import { parseGrant, REDACTED, type SecretKind, secretKind } from './secret.ts'
import type { OfferFile, WaitingOffer } from './secret-file.ts'
import { type nameSchema, type SecretService, type SecretView, setSchema } from './secret-service.ts'
import type { SecretStore } from './secret-store.ts'

/** Most offers that wait at once: a compromised edge must not bury the real one, nor fill the disk. */
export const MAX_WAITING_OFFERS = 32
/** Most rows, including decided ones, which stay for twice `OFFER_LIFETIME` so that a second delivery is recognised. */
const MAX_OFFER_ROWS = 1_000

/** `kind` and lists: as for a new secret. Without them an existing secret keeps its own and gets a new value. */
export const acceptSchema = z.strictObject({
  ...z.omit(setSchema, { value: true, kind: true, endsAt: true }).shape,
  kind: z.optional(secretKind),
  check: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})

/**
 * For a secret that was sent in a chat, where no check word could be shown: the result of the test, and the check word
 * that accepts it.
 */
export interface OfferLook extends Looked {
  readonly name: string
  readonly accepted: false
  readonly check: string
}

/** A pending offer, as it may be shown. */
export interface OfferView extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly value: typeof REDACTED
  readonly state: 'offered'
  /** ISO times. */
  readonly arrived: string
  readonly until: string
}

export interface OfferService {
  /**
   * Stores an offer from the edge. A malformed, late or known one, or one too many, is only audited. Rejects only if it
   * could not be stored, so that the edge sends it again.
   */
  take(offer: SecretOffer): Promise<void>
  /**
   * Without a check word it accepts nothing: it tests the newest offer, drops all under the name if the service rejects
   * it, and returns what the owner needs to decide. Refusals: nothing_found, secret_other_value (the check word fits
   * none), credential_rejected, and those of the secret service.
   */
  accept(input: z.output<typeof acceptSchema>): Promise<Result<SecretView | OfferLook>>
  /** Refusal: nothing_found. */
  decline(input: z.output<typeof nameSchema>): Promise<Result<{ readonly name: string }>>
  /** Drops offers that nobody decided on in time. */
  expire(): void
}

export interface OfferServiceInput {
  readonly file: OfferFile
  readonly sealing: Pick<SealingKey, 'open'>
  readonly secretService: Pick<SecretService, 'set' | 'rotate'>
  readonly secrets: Pick<SecretStore, 'find'>
  /** Tests the value with its service; absent while home is not running, when nothing can be tested. */
  readonly look?: (name: string, value: string) => Promise<Result<Looked>>
  /** From then on the value in a box is redacted. */
  readonly learn: (name: string, value: string) => void
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createOfferService(input: OfferServiceInput): OfferService {
  const { file, sealing, learn, now } = input
  const waitingFor = (name: string): readonly WaitingOffer[] =>
    file.waiting().filter((row) => row.name === name)

  const keep = async (offer: SecretOffer): Promise<Result<null>> => {
    if (Math.abs(now() - offer.at) > OFFER_LIFETIME) return err('secret_expired')
    if (offer.principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
    if (file.waiting().length >= MAX_WAITING_OFFERS || file.count() >= MAX_OFFER_ROWS)
      return err('remote_rate_limited')
    const opened = await sealing.open(offer)
    if (!opened.ok) return opened
    learn(offer.name, opened.value)
    const first = waitingFor(offer.name).length === 0
    file.add(offer, now())
    // One notice per name, so that a flood of offers causes no flood of notices.
    if (first) input.tell({ id: `secret-offered:${offer.id}`, code: 'secret_offered' })
    return ok(null)
  }

  /** The offer that the check word was derived from, among all under the name. */
  const chosen = async (name: string, check: string): Promise<Result<string>> => {
    const rows = waitingFor(name)
    if (rows.length === 0) return err('nothing_found', { credential: name })
    for (const row of rows) {
      const opened = await sealing.open(row)
      if (opened.ok && isCheckWord(check, { name, value: opened.value })) return opened
    }
    return err('secret_other_value', { credential: name })
  }

  /** The owner decides after seeing the account: a compromised edge could have sent its own credential. */
  const looked = async (name: string): Promise<Result<OfferLook>> => {
    const newest = waitingFor(name).at(-1)
    if (newest === undefined) return err('nothing_found', { credential: name })
    const opened = await sealing.open(newest)
    if (!opened.ok) return opened
    const found = (await input.look?.(name, opened.value)) ?? ok({ tried: false, account: null })
    if (!found.ok && found.reason.code === 'credential_rejected') file.settle(name)
    if (!found.ok) report(input, 'look', { credential: name, ...codeOf(found) })
    if (!found.ok) return found
    const { tried, account } = found.value
    return ok({ name, accepted: false, check: checkWordOf(name, opened.value), tried, account })
  }

  return {
    async take(offer) {
      if (file.knows(offer.id)) return
      const kept = await keep(offer)
      report(input, 'offer', { offer: offer.id, credential: offer.name, ...codeOf(kept) })
    },
    async accept({ name, check, kind, allowDevelopmentKey, ...scope }) {
      if (check === undefined) return looked(name)
      const value = await chosen(name, check)
      if (!value.ok) report(input, 'accept', { credential: name, ...codeOf(value) })
      if (!value.ok) return value
      const named = kind !== undefined || Object.values(scope).some((list) => list.length > 0)
      const given = { name, value: value.value, allowDevelopmentKey }
      const known = input.secrets.find(name) !== null
      const stored = await (known && !named
        ? input.secretService.rotate(given)
        : input.secretService.set({ ...given, ...scope, kind: kind ?? kindOf(value.value) }))
      if (stored.ok) file.settle(name)
      return stored
    },
    async decline({ name }) {
      if (file.settle(name) === 0) return err('nothing_found', { credential: name })
      report(input, 'decline', { credential: name })
      return ok({ name })
    },
    expire: () => file.expire({ boxes: now() - OFFER_LIFETIME, rows: now() - 2 * OFFER_LIFETIME }),
  }
}

/** Kind by form, as for a credential given in a chat without one. */
function kindOf(value: string): SecretKind {
  return parseGrant(value) === null ? 'token' : 'oauth'
}

/** Needs no key: returns names and times. */
export function listOffers(file: Pick<OfferFile, 'waiting'>): readonly OfferView[] {
  return file.waiting().map(({ name, arrivedAt }) => ({
    ...{ name, value: REDACTED, state: 'offered' as const },
    arrived: new Date(arrivedAt).toISOString(),
    until: new Date(arrivedAt + OFFER_LIFETIME).toISOString(),
  }))
}

function codeOf(result: Result<unknown>): { readonly ok: boolean; readonly code: string | null } {
  return { ok: result.ok, code: result.ok ? null : result.reason.code }
}

function report({ audit }: OfferServiceInput, change: string, facts: AuditEvent['facts']): void {
  audit({ kind: 'secret_changed', trace: null, task: null, principal: null, facts: { change, ...facts } })
}
