/**
 * Key pair of the edge for restoring a backup (E-16): home seals the data key of returning rows to it. Derived from the Worker
 * secret that will wrap that data key. Must not store what it opens. Called by PrincipalObject.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { openClosedBox } from '../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../integrations/sealing/x25519.ts'
import type { Result } from '../kernel/flow/verdict.ts'
import { IMPORT_PURPOSE, partBound } from '../kernel/tunnel/edge-part.ts'

const KEY_BYTES = 32

export interface ImportKey {
  /** 32 bytes, base64url. */
  publicKey(): Promise<string>
  /** Refusal: record_unreadable (sealed for another part, principal or edge, or altered). */
  open(part: { readonly id: string; readonly principal: string }, box: string): Promise<Result<Uint8Array>>
}

/** `sealKey`: 32 bytes, the Worker secret. */
export function createImportKey(sealKey: Uint8Array): ImportKey {
  const secret = (): Uint8Array =>
    hkdf(sha256, sealKey, undefined, utf8ToBytes('pfar:edge-import'), KEY_BYTES)
  return {
    async publicKey() {
      const { publicKey } = await keyFrom(secret())
      return publicKey.toBase64({ alphabet: 'base64url', omitPadding: true })
    },
    open: (part, box) =>
      openClosedBox(
        secret(),
        { purpose: IMPORT_PURPOSE, bound: partBound(part) },
        Uint8Array.fromBase64(box, { alphabet: 'base64url' }),
      ),
  }
}
