/**
 * The edge's Ed25519 key, from a seed in a Worker secret; home has pinned its public half (DESIGN §7, T-02). WebCrypto signs twenty
 * times faster than portable code. Must not keep the seed where it could be serialised. Called by TunnelObject, which proves with
 * it, and by KernelObject, which pairs with it.
 */
import { concatBytes } from '@noble/hashes/utils.js'
import { type EdgeProof, type ProofClaims, proofBytes } from '../../kernel/tunnel/pairing.ts'

export interface EdgeIdentity {
  /** 32 raw bytes, base64url. */
  publicKey(): Promise<string>
  prove(claims: Omit<ProofClaims, 'edgeNonce'>): Promise<EdgeProof>
}

/** PKCS8 prefix of an Ed25519 seed (RFC 8410): WebCrypto imports a private key in no rawer form. */
const PKCS8_PREFIX = new Uint8Array([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32])
const NONCE_BYTES = 18
const BASE64_URL = { alphabet: 'base64url', omitPadding: true } as const

/** `seed`: 32 bytes. */
export function createEdgeIdentity(seed: Uint8Array): EdgeIdentity {
  let imported: Promise<CryptoKey> | undefined
  const key = (): Promise<CryptoKey> => {
    imported ??= importSeed(seed)
    return imported
  }
  return {
    async publicKey() {
      const { x } = (await crypto.subtle.exportKey('jwk', await key())) as JsonWebKey
      if (x === undefined) throw new Error('the platform exported no public key')
      return x
    },
    async prove(claims) {
      const edgeNonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES)).toBase64(BASE64_URL)
      const bytes = proofBytes({ ...claims, edgeNonce })
      const signed = await crypto.subtle.sign('Ed25519', await key(), bytes)
      return { nonce: edgeNonce, signature: new Uint8Array(signed).toBase64(BASE64_URL) }
    },
  }
}

function importSeed(seed: Uint8Array): Promise<CryptoKey> {
  const pkcs8 = concatBytes(PKCS8_PREFIX, seed)
  // Extractable only for its public half: WebCrypto derives none from a private key that is not.
  return crypto.subtle.importKey('pkcs8', pkcs8, { name: 'Ed25519' }, true, ['sign'])
}
