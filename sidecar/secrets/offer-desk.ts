/**
 * What becomes of a secret that was typed at the edge (E-02, L-12, DESIGN §1): it waits in its box until the owner accepts it
 * here, with the check that he was shown where he typed it. Nothing from the edge is in force before, under a new name or
 * an old one: whoever took the edge over could otherwise have home work with an account of his own. Must not give a
 * value back. Called by the tunnel's inbox, secret-methods.ts, the rotation job and `pfar secret`.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { checkWordOf, isCheckWord } from './check-word.ts'
import type { Looked } from './credential-desk.ts'
import { parseGrant } from './oauth-grant.ts'
import type { OfferFile, WaitingOffer } from './offer-file.ts'
import type { SealingKey } from './sealing-key.ts'
import { REDACTED, type SecretKind, secretKind } from './secret.ts'
import { type nameSchema, type SecretDesk, type SecretView, setSchema } from './secret-desk.ts'
import type { SecretStore } from './secret-store.ts'

/** Waiting at once: a taken-over edge must not bury the one that the owner typed, nor fill the disk. */
export const MAX_WAITING_OFFERS = 32
/** Rows, decided ones included: they stay for twice `OFFER_LIFETIME`, so that a second delivery is known. */
const MAX_OFFER_ROWS = 1_000

/** `kind` and lists: as for a new secret; none of them: a secret that is there keeps its own and gets a new value. */
export const acceptSchema = z.strictObject({
  ...z.omit(setSchema, { value: true, kind: true }).shape,
  kind: z.optional(secretKind),
  check: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
})

/** What was typed in a chat, where no check could be shown: how it fared, and the check by which it is taken. */
export interface OfferLook extends Looked {
  readonly name: string
  readonly accepted: false
  readonly check: string
}

/** One that waits, as it may be shown. */
export interface OfferView extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly value: typeof REDACTED
  readonly state: 'offered'
  /** ISO times. */
  readonly arrived: string
  readonly until: string
}

export interface OfferDesk {
  /**
   * Keeps one that came from the edge, unless it is bad, late or known, or too many wait: then the audit says why, and
   * nothing else stops. Rejects only when it could not be stored: the edge sends it again.
   */
  take(offer: SecretOffer): Promise<void>
  /**
   * Without a check it takes nothing: it tries the newest, drops all that wait under the name if the service says no, and answers with
   * what its owner needs to decide. Refusals: nothing_found, secret_other_value (the check fits none), credential_rejected, and
   * those of the secrets' desk.
   */
  accept(input: z.output<typeof acceptSchema>): Promise<Result<SecretView | OfferLook>>
  /** Refusal: nothing_found. */
  decline(input: z.output<typeof nameSchema>): Promise<Result<{ readonly name: string }>>
  /** Drops what nobody decided about in time. */
  expire(): void
}

export interface OfferDeskInput {
  readonly file: OfferFile
  readonly sealing: Pick<SealingKey, 'open'>
  readonly desk: Pick<SecretDesk, 'set' | 'rotate'>
  readonly secrets: Pick<SecretStore, 'find'>
  /** Tries it with its service; absent while home stands still, when nothing can be tried. */
  readonly look?: (name: string, value: string) => Promise<Result<Looked>>
  /** What was in a box is known from then on, and redacted. */
  readonly learn: (name: string, value: string) => void
  readonly audit: (event: Omit<AuditEvent, 'at' | 'place'>) => void
  readonly tell: (notice: { readonly id: string; readonly code: ReasonCode }) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

export function createOfferDesk(input: OfferDeskInput): OfferDesk {
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
    // Once a name: a flood of offers is no flood of notices.
    if (first) input.tell({ id: `secret-offered:${offer.id}`, code: 'secret_offered' })
    return ok(null)
  }

  /** The one that this check was made from, whatever else was offered under the name. */
  const chosen = async (name: string, check: string): Promise<Result<string>> => {
    const rows = waitingFor(name)
    if (rows.length === 0) return err('nothing_found', { credential: name })
    for (const row of rows) {
      const opened = await sealing.open(row)
      if (opened.ok && isCheckWord(check, { name, value: opened.value })) return opened
    }
    return err('secret_other_value', { credential: name })
  }

  /** The decision is the owner's, who sees whose account it is: an edge that was taken over could have sent one of its own. */
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
        ? input.desk.rotate(given)
        : input.desk.set({ ...given, ...scope, kind: kind ?? kindOf(value.value) }))
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

/** As it is given in a chat, where nobody says what it is. */
function kindOf(value: string): SecretKind {
  return parseGrant(value) === null ? 'token' : 'oauth'
}

/** Needs no key: names and times. */
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

function report({ audit }: OfferDeskInput, change: string, facts: AuditEvent['facts']): void {
  audit({ kind: 'secret_changed', trace: null, task: null, principal: null, facts: { change, ...facts } })
}
