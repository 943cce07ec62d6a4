/**
 * HTML of the one-time page (L-15): a form whose script seals the input into the box that `closeBox` makes, with WebCrypto, so that
 * no value leaves the browser in the clear. Static except for the fields of `PageView`, which stand in attributes, never in the
 * script. Must not load anything. Called by secret-page.ts.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { PageView } from '../durable-objects/principal/credentials.ts'
import { MAX_SECRET, OFFER_PURPOSE, offerBound } from '../kernel/vault/secret-offer.ts'

/** HPKE base mode (RFC 9180), compatible with integrations/sealing/sealed-box.ts, which opens the box at home. */
const SCRIPT = `'use strict'
const at = (id) => document.getElementById(id), field = at('value'), button = at('send')
const { key, bound, purpose, home } = at('page').dataset
const say = (words) => { at('said').textContent = words }
const S = globalThis.crypto?.subtle
const text = (words) => new TextEncoder().encode(words)
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]))
const none = new Uint8Array(0), kem = join(text('KEM'), [0, 32]), suite = join(text('HPKE'), [0, 32, 0, 1, 0, 2])
const mac = async (key, data) => new Uint8Array(await S.sign('HMAC', await S.importKey('raw', key.length ? key : new Uint8Array(32), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']), data))
const extract = (of, label, salt, from) => mac(salt, join(text('HPKE-v1'), of, text(label), from))
const expand = async (of, label, from, context, size) => (await mac(from, join([0, size], text('HPKE-v1'), of, text(label), context, [1]))).slice(0, size)
const bytes = (base) => Uint8Array.from(atob(base.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
const base = (all) => btoa(Array.from(all, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const pair = async () => S.generateKey({ name: 'X25519' }, false, ['deriveBits'])
const close = async (value) => {
  const own = await pair(), theirs = bytes(key)
  const ours = new Uint8Array(await S.exportKey('raw', own.publicKey))
  const peer = await S.importKey('raw', theirs, { name: 'X25519' }, false, [])
  const agreed = new Uint8Array(await S.deriveBits({ name: 'X25519', public: peer }, own.privateKey, 256))
  const shared = await expand(kem, 'shared_secret', await extract(kem, 'eae_prk', none, agreed), join(ours, theirs), 32)
  const context = join([0], await extract(suite, 'psk_id_hash', none, none), await extract(suite, 'info_hash', none, text(purpose)))
  const secret = await extract(suite, 'secret', shared, none)
  const cipher = await S.importKey('raw', await expand(suite, 'key', secret, context, 32), 'AES-GCM', false, ['encrypt'])
  const iv = await expand(suite, 'base_nonce', secret, context, 12)
  const sealed = await S.encrypt({ name: 'AES-GCM', iv, additionalData: text(bound) }, cipher, text(value))
  return base(join(ours, new Uint8Array(sealed)))
}
const send = async () => {
  const value = field.value.trim()
  if (value === '') return say('Nothing is typed yet.')
  button.disabled = true
  try {
    const body = JSON.stringify({ box: await close(value) })
    const { ok, status } = await fetch(location.pathname, { method: 'POST', headers: { 'content-type': 'application/json' }, body, credentials: 'omit' })
    if (ok || status === 404) field.value = ''
    if (ok) return say('Done. It is sealed and on its way home, where you accept it. You may close this page.')
    if (status === 404) return say('This link is over: it was used, its time has passed, or it was replaced. Ask for a new one in the chat.')
    say('It was not taken just now. Try again in a minute.')
  } catch {
    say('It could not be sent. Try again.')
  }
  button.disabled = false
}
button.addEventListener('click', send)
field.addEventListener('keydown', (event) => { if (event.key === 'Enter' && !button.disabled) send() })
const start = async () => {
  try {
    await pair()
    button.disabled = false
  } catch {
    field.disabled = true
    say('This browser cannot seal it (it lacks X25519). Take another one, or type it at home: ' + home)
  }
}
start()
`

const STYLE =
  'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem}input,button{font:inherit;padding:.5rem}input{width:100%;box-sizing:border-box;margin:.5rem 0}code{word-spacing:.3em}'

const POLICY = [
  `default-src 'none'; script-src '${hashOf(SCRIPT)}'; style-src '${hashOf(STYLE)}'; connect-src 'self'`,
  `form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
].join('; ')

/** Headers of the page and of its refusal. */
export const PAGE_HEADERS = Object.freeze({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
})

/** An input without a name, outside any form: its value cannot reach a URL, even if the script fails. */
export function formPage({ title, service, until, key, fingerprint, offer }: PageView): string {
  const command = `pfar connect ${service}`
  const bound = new TextDecoder().decode(offerBound(offer))
  const data = Object.entries({ key, bound, purpose: OFFER_PURPOSE, home: command })
  const attributes = data.map(([name, value]) => `data-${name}="${escaped(value)}"`).join(' ')
  const ends = new Date(until).toISOString().slice(0, 16).replace('T', ' ')
  return whole(
    `<main id="page" ${attributes}><h1>Access to ${escaped(title)}</h1>
<p>What you type is sealed for your home in this browser. This page works once, until ${ends} UTC.</p>
<p>Home's key: <code>${fingerprint}</code><br>Compare it with the one in the chat. If they differ, close this page and type it at home: <code>${escaped(command)}</code></p>
<label for="value">Credential</label>
<input id="value" type="password" autocomplete="off" spellcheck="false" maxlength="${MAX_SECRET}">
<button id="send" type="button" disabled>Seal and send</button>
<p id="said" role="status"></p><noscript>Without its script this page can seal nothing.</noscript></main>
<script>${SCRIPT}</script>`,
  )
}

/** One text for every fault of a link. */
export function refusalPage(): string {
  return whole(
    '<main><h1>This link is not valid</h1><p>It was used, its time has passed, it was replaced, or it never was one. Ask for a new one in the chat, or type the credential at home: <code>pfar connect</code></p></main>',
  )
}

function whole(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>PFAR</title><style>${STYLE}</style></head><body>${body}</body></html>`
}

function hashOf(text: string): string {
  return `sha256-${btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
