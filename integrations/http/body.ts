/**
 * Reads a response body up to a byte limit and decodes it by charset (I-06). Must not buffer more than the limit. Called by
 * scoped-client.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** Bytes of HTML searched for a `meta charset` (HTML standard §13.2.3.2). */
const META_WINDOW = 1_024
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_:.-]{1,40})/i
const PARAMETER_CHARSET = /;\s*charset\s*=\s*"?([a-z0-9_:.-]{1,40})/i

/** Refusal: response_too_large, after at most one chunk more than `maxBytes`. Leaving the loop closes the source. */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Result<Uint8Array>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > maxBytes) return err('response_too_large', { max: maxBytes })
    chunks.push(chunk)
  }
  return ok(joinChunks(chunks, size))
}

/** By the header's charset, else the one that the HTML declares, else UTF-8. Undecodable bytes become U+FFFD. */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const charset = PARAMETER_CHARSET.exec(contentType)?.[1] ?? declaredCharset(bytes, contentType) ?? 'utf-8'
  return decoderFor(charset).decode(bytes)
}

function declaredCharset(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html/i.test(contentType)) return undefined
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, META_WINDOW))
  return META_CHARSET.exec(head)?.[1]
}

function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
