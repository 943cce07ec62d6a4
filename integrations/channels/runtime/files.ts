/**
 * Attached files as text, and pictures for a model (B-27), within a byte limit whatever size the service claims. The bytes decide
 * what a file is, not its name or type. Must not decide whether a file is wanted, parse binary formats (the place's readers do),
 * nor hold a token (the package's `fetch` does). Called through `FilePort`, at the place that holds the token.
 */

import type { FilePort, FileText } from '../../../kernel/features/files/file-port.ts'
import type { ModelReader } from '../../../kernel/flow/policy.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { FileKind } from '../../../kernel/task/event.ts'
import { beginsAt, pictureIn } from '../../../kernel/task/picture.ts'

/** Transcribes a sound file of the format with this usual file ending (`ogg`). Refusals: those of `FilePort`. */
export type SoundReader = (bytes: Uint8Array, ending: string) => Promise<Result<FileText>>

/** Parses a file of one format, in isolation. Refusals: those of `FilePort`. */
export type FileReader = (bytes: Uint8Array) => Promise<Result<FileText>>

/** Readers of binary files. */
export interface FileReaders {
  /** Reads PDFs; absent where the place has no reader. */
  readonly pdf?: FileReader
  /** Reads office documents and calendar files; absent where the place has no reader. */
  readonly document?: FileReader
  /** Transcribes sound, and the model that does; absent where the place has none. */
  readonly sound?: { readonly reader: ModelReader; readonly read: SoundReader }
}

export interface FilesInput extends FileReaders {
  /** Fetches at most `most` bytes of the file with this service id. Refusals: those of `FilePort`. */
  readonly fetch: (ref: string, most: number) => Promise<Result<Uint8Array>>
  /** Whether this token's bot holds the sink's chat: a file id is valid for one bot only. */
  readonly holds: (sink: string) => boolean
}

/** Bytes read of a plain text file: a larger one was hardly written to be read here. */
const MOST_TEXT = 262_144

export function createFiles({
  fetch,
  holds,
  pdf,
  document,
  sound,
}: FilesInput): Required<Pick<FilePort, 'picture'>> & FilePort {
  const held = async (ref: string, sink: string, most: number): Promise<Result<Uint8Array>> =>
    holds(sink) ? fetch(ref, most) : err('sink_unknown', { sink })
  return {
    ...(sound !== undefined && { hears: sound.reader }),
    reads: [
      ...(pdf === undefined ? [] : PDFS),
      ...(document === undefined ? [] : DOCUMENTS),
      ...(sound === undefined ? [] : SOUNDS),
    ],
    async text({ ref, sink, kind }, most) {
      const bytes = await held(ref, sink, most)
      if (!bytes.ok) return bytes
      if (SOUNDS.includes(kind)) {
        const ending = soundIn(bytes.value)
        return sound === undefined || ending === null
          ? err('field_malformed')
          : sound.read(bytes.value, ending)
      }
      if (pdf !== undefined && isPdf(bytes.value)) return pdf(bytes.value)
      if (document !== undefined && isDocument(bytes.value)) {
        const read = await document(bytes.value)
        // A calendar file is also plain text, which can be read here when home, which parses calendars, is offline.
        if (read.ok || kind !== 'text' || read.reason.code !== 'home_offline') return read
      }
      if (bytes.value.length > MOST_TEXT) return err('field_malformed')
      const text = textIn(bytes.value)
      return text === null ? err('field_malformed') : ok({ text })
    },
    async picture({ ref, sink }, most) {
      const bytes = await held(ref, sink, most)
      if (!bytes.ok) return bytes
      const mediaType = pictureIn(bytes.value)
      if (mediaType === null) return err('field_malformed')
      return ok({ mediaType, data: base64(bytes.value) })
    },
  }
}

const PDFS: readonly FileKind[] = ['pdf']
const DOCUMENTS: readonly FileKind[] = ['document']
const SOUNDS: readonly FileKind[] = ['voice', 'audio']

/** Magic bytes of sound formats: file ending, offset, bytes. */
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

/** The format by its magic bytes, as a file ending; null when it is no sound. */
export function soundIn(bytes: Uint8Array): string | null {
  return SOUND_MARKS.find(([, at, mark]) => beginsAt(bytes, at, mark))?.[0] ?? null
}

/** By its magic bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return beginsAt(bytes, 0, '%PDF-')
}

/** A ZIP archive, as office documents are, or a calendar; its reader decides whether it is a document. */
export function isDocument(bytes: Uint8Array): boolean {
  return beginsAt(bytes, 0, 'PK\u0003\u0004') || beginsAt(bytes, 0, 'BEGIN:VCALENDAR')
}

/** Beginnings of formats that are not plain text although their first bytes could be. */
const MAGIC = /^(?:%PDF-|%!PS|\{\\rtf|<\?xml|<!doctype html|<html)/i

/** Null for anything but plain text: invalid UTF-8, control characters, or another format's magic bytes. */
export function textIn(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
    return /[\u0000-\u0008\u000e-\u001f\u007f]/.test(text) || MAGIC.test(text.trimStart()) ? null : text
  } catch {
    return null
  }
}

/** Bytes converted at once: a call takes a limited number of arguments. */
const CHUNK = 32_768

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
