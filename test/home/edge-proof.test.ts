/** The edge's proof covers every part of it, so that none can be changed in transit (DESIGN §7). */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { PROTOCOL_VERSION } from '../../kernel/tunnel/frame.ts'
import { proofBytes } from '../../kernel/tunnel/pairing.ts'
import { checkEdgeProof } from '../../sidecar/tunnel/pairing.ts'

type Asked = Parameters<typeof checkEdgeProof>[0]

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const publicOf = (key: KeyObject): string => String(key.export({ format: 'jwk' })['x'])
const PIN = { publicKey: publicOf(publicKey), version: PROTOCOL_VERSION } as unknown as NonNullable<
  Asked['pin']
>
const NUMBERS = { version: PROTOCOL_VERSION, epoch: 7, received: 3, base: 2, last: 5 }
const CLAIMS = { homeNonce: 'home', edgeNonce: 'edge', device: 'device', hello: NUMBERS }

function check(change: Partial<Asked> & { readonly edgeNonce?: string } = {}, hello: object = {}): string {
  const { edgeNonce: nonce = 'edge', ...over } = change
  const signature = sign(null, proofBytes(CLAIMS), privateKey).toString('base64url')
  const proof = { nonce, signature }
  const said = { kind: 'hello', ...NUMBERS, proof, ...hello } as unknown as Asked['hello']
  const checked = checkEdgeProof({ pin: PIN, hello: said, homeNonce: 'home', device: 'device', ...over })
  return checked.ok ? 'ok' : `${checked.reason.code} ${checked.reason.facts['why'] ?? ''}`.trim()
}

test('an edge with the pinned key is accepted', () => {
  expect(check()).toBe('ok')
})

test.each<[string, object, object, string]>([
  ['no pin', { pin: null }, {}, 'edge_not_pinned unknown'],
  ['no proof', {}, { proof: null }, 'edge_not_pinned silent'],
  ['another connection of home', { homeNonce: 'other' }, {}, 'edge_not_pinned mismatch'],
  ['another nonce of the edge', { edgeNonce: 'other' }, {}, 'edge_not_pinned mismatch'],
  ['another device', { device: 'other' }, {}, 'edge_not_pinned mismatch'],
  ['another epoch', {}, { epoch: 8 }, 'edge_not_pinned mismatch'],
  ['another count of what it has', {}, { received: 4 }, 'edge_not_pinned mismatch'],
  ['another beginning', {}, { base: 3 }, 'edge_not_pinned mismatch'],
  ['another end', {}, { last: 6 }, 'edge_not_pinned mismatch'],
  ['another version', {}, { version: PROTOCOL_VERSION + 1 }, 'edge_not_pinned mismatch'],
  [
    'a version below one that was seen',
    { pin: { ...PIN, version: PROTOCOL_VERSION + 1 } },
    {},
    'version_downgraded',
  ],
])('%s is refused', (_, change, hello, reason) => {
  expect(check(change, hello)).toBe(reason)
})

test('another key is refused', () => {
  const other = generateKeyPairSync('ed25519').publicKey
  expect(check({ pin: { ...PIN, publicKey: publicOf(other) } })).toBe('edge_not_pinned mismatch')
})
