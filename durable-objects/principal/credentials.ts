/**
 * Credentials that the owner gives at the edge (L-12, L-13, L-15): in a chat, or on a one-time page that belongs to one open
 * question and of which only a hash of its nonce is stored. Values are sealed for home in memory; no key here opens them. Must
 * not store or log a value. Called by powers.ts, and by PrincipalObject for worker/secret-page.ts.
 */
import { equalBytes } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Channels } from '../../kernel/features/channels/channel-port.ts'
import { openQuestions, serviceOf } from '../../kernel/features/credentials/ask-credential.ts'
import type { CredentialPort, OneTimePage } from '../../kernel/features/credentials/credential-port.ts'
import { tellSent } from '../../kernel/features/credentials/credentials.ts'
import type { DeliverPorts } from '../../kernel/features/deliveries/deliver.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Actions } from '../../kernel/powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../kernel/powers/stores.ts'
import type { Approval } from '../../kernel/task/approval.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { needFor } from '../../kernel/tool/channel.ts'
import { MAX_SECRET, type SecretOffer, sealKeyGroups, sealKeyId } from '../../kernel/vault/secret-offer.ts'
import { tell } from '../../kernel/wording/words.ts'
import { KERNEL_NAME, TUNNEL_NAME } from '../names.ts'
import { type EdgeEnv, type EdgeSettings, type KernelCalls, keyOf } from '../platform/env.ts'
import { closedFor } from '../platform/secrets.ts'

/** Bytes of the random half of a nonce, and of the MAC that proves that this edge made it. */
const HALF = 16
const NONCE = /^[A-Za-z0-9_-]{43}$/
const PAGE = 'secret-page:'

interface Page {
  readonly hash: Uint8Array
  /** Home's public key, base64url, as shown in the chat. */
  readonly key: string
  /** Epoch milliseconds. */
  readonly at: number
}

export interface PageAsk {
  /** `pageHash` of the link's nonce. */
  readonly hash: Uint8Array
  /** Base64url; null to view the page, which does not use it up: messengers fetch links for previews. */
  readonly box: string | null
}

export interface PageView {
  readonly title: string
  readonly service: string
  /** Epoch milliseconds. */
  readonly until: number
  /** Home's public key, base64url. */
  readonly key: string
  readonly fingerprint: string
  readonly offer: Omit<SecretOffer, 'box'>
}

export function pageHash(nonce: string): Uint8Array {
  return sha256(utf8ToBytes(nonce))
}

/** Whether this edge made the nonce: an invented one wakes no object. */
export function isPageNonce(tokenKey: Uint8Array, nonce: string): boolean {
  if (!NONCE.test(nonce)) return false
  const bytes = Uint8Array.fromBase64(nonce, { alphabet: 'base64url' })
  return equalBytes(bytes.slice(HALF), proofOf(tokenKey, bytes.slice(0, HALF)))
}

function newNonce(tokenKey: Uint8Array): string {
  const half = crypto.getRandomValues(new Uint8Array(HALF))
  const whole = new Uint8Array([...half, ...proofOf(tokenKey, half)])
  return whole.toBase64({ alphabet: 'base64url', omitPadding: true })
}

function proofOf(tokenKey: Uint8Array, half: Uint8Array): Uint8Array {
  return hmac(sha256, tokenKey, new Uint8Array([...utf8ToBytes('secret-page|'), ...half])).slice(0, HALF)
}

interface PageMaking {
  readonly kv: SyncKvStorage
  readonly kernel: KernelCalls<'syncedFor'>
  readonly settings: Pick<EdgeSettings, 'bot' | 'tokenKey'>
}

/** Null when the edge's own address is not configured, or home has synced no key. */
async function openPage({ kv, kernel, settings }: PageMaking, approval: string): Promise<OneTimePage | null> {
  const origin = settings.bot.channel?.edge
  if (origin === undefined) return null
  const synced = await kernel
    .getByName(KERNEL_NAME)
    .syncedFor(null)
    .catch(() => null)
  const key = synced?.sealKey ?? null
  const publicKey = key === null ? null : keyOf(key)
  if (key === null || publicKey === null) return null
  const nonce = newNonce(settings.tokenKey)
  const page: Page = { hash: pageHash(nonce), key, at: Date.now() }
  kv.put(PAGE + approval, page)
  return { url: `${origin}/secret/${nonce}`, fingerprint: sealKeyGroups(publicKey) }
}

interface PageService {
  readonly kv: SyncKvStorage
  readonly powers: DeliverPorts & Actions & Channels & StoreOf<TaskStore & ApprovalStore>
  readonly env: Pick<EdgeEnv, 'TUNNEL'> & { readonly KERNEL: KernelCalls<'sealKeyFor'> }
}

/** Refusals: nothing_found for any fault of the link; those of `sealKeyFor` and of the tunnel, after which the link still works. */
export async function answerPage(service: PageService, { hash, box }: PageAsk): Promise<Result<PageView>> {
  const found = find(service, hash)
  if (found === null) return err('nothing_found')
  const { approval, view } = found
  if (box === null) return ok(view)
  // One submission at a time: of two concurrent ones the second is refused.
  if (underWay.has(approval.id)) return err('nothing_found')
  underWay.add(approval.id)
  try {
    const sent = await send(service, { ...view.offer, box }, view.key)
    if (!sent.ok) return sent
    service.kv.delete(PAGE + approval.id)
  } finally {
    underWay.delete(approval.id)
  }
  // The secret is queued, whether or not the chat can be told.
  await tellSent(service.powers, approval).catch(() => undefined)
  return ok(view)
}

const underWay = new Set<string>()

async function send({ env }: PageService, offer: SecretOffer, key: string): Promise<Result<true>> {
  const { name } = offer
  const known = await env.KERNEL.getByName(KERNEL_NAME).sealKeyFor({ name, device: 'page' })
  if (!known.ok) return known
  // Home has changed its key since the page showed the former one.
  if (known.value !== key) return err('nothing_found')
  return env.TUNNEL.getByName(TUNNEL_NAME).offer(offer)
}

interface Found {
  readonly approval: Approval
  readonly view: PageView
}

/** Finds the page among the open questions, and deletes pages of all others. */
function find({ kv, powers }: PageService, hash: Uint8Array): Found | null {
  const open = openQuestions(powers).filter(({ approval }) => approval.expiresAt > Date.now())
  let found: Found | null = null
  for (const [name, page] of [...kv.list<Page>({ prefix: PAGE })]) {
    const approval = open.find((stored) => PAGE + stored.approval.id === name)?.approval
    if (approval === undefined) kv.delete(name)
    else if (equalBytes(page.hash, hash)) found = viewOf(powers, approval, page)
  }
  return found
}

function viewOf(powers: Actions & Channels, approval: Approval, { hash, key, at }: Page): Found | null {
  const service = serviceOf(approval) ?? ''
  const need = needFor(powers, service)
  const publicKey = keyOf(key)
  if (need === null || publicKey === null) return null
  // Derived from the page: a repeated submission after a lost answer has the same id, so it is the same secret.
  const id = `page-${hash.slice(0, HALF).toHex()}`
  const offer = { id, principal: OWNER_PRINCIPAL, name: service, key: sealKeyId(publicKey), at }
  const fingerprint = sealKeyGroups(publicKey)
  return {
    approval,
    view: { title: need.title, service, until: approval.expiresAt, key, fingerprint, offer },
  }
}

interface EdgeCredentialsInput {
  readonly tunnel: EdgeEnv['TUNNEL']
  readonly kernel: KernelCalls<'sealKeyFor' | 'syncedFor'>
  /** Whether home has reported the service as connected. */
  readonly has: (service: string) => boolean
  readonly kv: SyncKvStorage
  readonly settings: Pick<EdgeSettings, 'bot' | 'tokenKey'>
}

export function edgeCredentials(input: EdgeCredentialsInput): CredentialPort {
  const { tunnel, kernel, has } = input
  return {
    refusal: () => null,
    isConnected: has,
    // Of the demo's data, home releases only calendar times to the edge.
    demoNote: (actions) =>
      actions.some((id) => id.startsWith('calendar.')) && has(tell('credentials.demo'))
        ? tell('credentials.demo_calendar')
        : null,
    page: (approval) => openPage(input, approval),
    async give(name, value) {
      if (value.length > MAX_SECRET) return err('event_too_large')
      const known = await kernel.getByName(KERNEL_NAME).sealKeyFor({ name, device: 'chat' })
      if (!known.ok) return known
      const publicKey = keyOf(known.value)
      if (publicKey === null) return err('seal_key_missing')
      const at = Date.now()
      const source = {
        id: crypto.randomUUID(),
        principal: OWNER_PRINCIPAL,
        name,
        key: sealKeyId(publicKey),
        at,
      }
      const offer = await closedFor(publicKey, source, value)
      if (!offer.ok) return offer
      const taken = await tunnel.getByName(TUNNEL_NAME).offer(offer.value)
      return taken.ok ? ok('sent') : taken
    },
  }
}
