/**
 * Files that somebody sent along, as text, and pictures for a model that looks at them (B-27): so many bytes at most, whatever a service
 * says of their number. What they are, they say themselves: a file is text if its bytes are, and no name or type makes it one. Must not
 * decide whether a file is wanted, take apart what is no text (the place's own readers do, if it has any), nor hold a token (the
 * package's `fetch` does). Called through `FilePort`, at the place that holds the token.
 */
import type { ModelReader } from '../../../kernel/flow/policy.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { FilePort, FileText } from '../../../kernel/powers/file-port.ts'
import type { FileKind } from '../../../kernel/task/event.ts'
import { pictureIn } from '../../../kernel/task/picture.ts'

/** Writes down what a sound says, which is of the format that its usual ending (`ogg`) names. Refusals: those of `FilePort`. */
export type SoundReader = (bytes: Uint8Array, ending: string) => Promise<Result<FileText>>

/** Takes the bytes of one form apart, where that harms nobody. Refusals: those of `FilePort`. */
export type FileReader = (bytes: Uint8Array) => Promise<Result<FileText>>

/** Of files that are no text. */
export interface FileReaders {
  /** Reads PDFs; absent where nothing may. */
  readonly pdf?: FileReader
  /** Hears sounds, and who that is; absent where nobody does. */
  readonly sound?: { readonly reader: ModelReader; readonly read: SoundReader }
}

export interface FilesInput extends FileReaders {
  /** At most so many bytes of what the service calls so. Refusals: those of `FilePort`. */
  readonly fetch: (ref: string, most: number) => Promise<Result<Uint8Array>>
  /** Whether the bot of this token holds a sink's chat: a file's name means nothing to another bot. */
  readonly holds: (sink: string) => boolean
}

/** Bytes of a file that is plain text, whatever else it may have been: more is nothing that anybody wrote to be read here. */
const MOST_TEXT = 262_144

export function createFiles({
  fetch,
  holds,
  pdf,
  sound,
}: FilesInput): Required<Pick<FilePort, 'picture'>> & FilePort {
  return {
    ...(sound !== undefined && { hears: sound.reader }),
    reads: [...(pdf === undefined ? [] : PDFS), ...(sound === undefined ? [] : SOUNDS)],
    async text({ ref, sink, kind }, most) {
      if (!holds(sink)) return err('sink_unknown', { sink })
      const bytes = await fetch(ref, most)
      if (!bytes.ok) return bytes
      if (SOUNDS.includes(kind)) {
        const ending = soundIn(bytes.value)
        return sound === undefined || ending === null
          ? err('field_malformed')
          : sound.read(bytes.value, ending)
      }
      if (pdf !== undefined && isPdf(bytes.value)) return pdf(bytes.value)
      if (bytes.value.length > MOST_TEXT) return err('field_malformed')
      const text = textIn(bytes.value)
      return text === null ? err('field_malformed') : ok({ text })
    },
    async picture({ ref, sink }, most) {
      if (!holds(sink)) return err('sink_unknown', { sink })
      const bytes = await fetch(ref, most)
      if (!bytes.ok) return bytes
      const mediaType = pictureIn(bytes.value)
      if (mediaType === null) return err('field_malformed')
      return ok({ mediaType, data: base64(bytes.value) })
    },
  }
}

const PDFS: readonly FileKind[] = ['pdf']
const SOUNDS: readonly FileKind[] = ['voice', 'audio']

/** Where a format says what it is, by the ending that its files usually have. */
const SOUND_MARKS: readonly (readonly [ending: string, at: number, mark: string])[] = [
  ['ogg', 0, 'OggS'],
  ['mp3', 0, 'ID3'],
  ['mp3', 0, '\u00ff\u00fb'],
  ['mp3', 0, '\u00ff\u00f3'],
  ['m4a', 4, 'ftyp'],
  ['wav', 8, 'WAVE'],
  ['flac', 0, 'fLaC'],
  ['webm', 0, '\u001aE\u00df\u00a3'],
]

/** By its first bytes; null for what is no sound. */
export function soundIn(bytes: Uint8Array): string | null {
  return SOUND_MARKS.find(([, at, mark]) => beginsAt(bytes, at, mark))?.[0] ?? null
}

/** `mark`: a sign for each byte. */
export function beginsAt(bytes: Uint8Array, at: number, mark: string): boolean {
  return [...mark].every((sign, index) => bytes[at + index] === sign.charCodeAt(0))
}

const PDF_MARK = new TextEncoder().encode('%PDF-')

/** By its first bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return PDF_MARK.every((byte, at) => bytes[at] === byte)
}

/** How files begin that are none, as far as their first bytes would pass for text. */
const MAGIC = /^(?:%PDF-|%!PS|\{\\rtf|<\?xml|<!doctype html|<html)/i

/** Null for what is no plain text: other bytes than UTF-8, control characters, or another format's first bytes. */
export function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) || MAGIC.test(text.trimStart()) ? null : text
  } catch {
    return null
  }
}

/** Bytes that are turned into characters at once: a call takes so many arguments. */
const CHUNK = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
