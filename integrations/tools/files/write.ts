/**
 * The writes of the files tool: exactly the path, bytes and version on the card, or nothing. Must not retry, nor write over
 * another version than the approved one. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { plainUtf8 } from '../../extractors/readable.ts'
import { type FilePlace, NEW } from './folder-port.ts'
import type { Look } from './look.ts'
import { newFile } from './names.ts'

/** Maximum bytes of a file that is written to. */
const MOST_WRITTEN = 1_048_576

export async function writeFile(look: Look): Promise<ToolOutcome> {
  const place = await placeOf(look)
  return place.ok ? put(look, place.value, String(look.call.args['text'])) : place
}

/** Appends on a line of its own, whether or not the file ends with a line break. */
export async function appendToFile(look: Look): Promise<ToolOutcome> {
  const { args } = look.call
  const place = await placeOf(look)
  if (!place.ok) return place
  const line = String(args['line'])
  const added = line.endsWith('\n') ? line : `${line}\n`
  if (args['version'] === NEW) return put(look, place.value, added)
  const content = await look.folders.read(place.value, MOST_WRITTEN)
  if (!content.ok) return content
  if (content.value.version !== args['version']) return err('event_changed')
  const before = plainUtf8(content.value.bytes)
  if (before === null) return err('file_not_text')
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  return put(look, place.value, `${before}${gap}${added}`)
}

/** Exactly the approved path: a better match for the name would be another file. */
async function placeOf({ folders, call }: Look): Promise<Result<FilePlace>> {
  const listing = await folders.list()
  if (!listing.ok) return listing
  const { path: approved, version } = call.args
  const path = String(approved)
  const files = listing.value.files.filter((file) => file.path === path)
  const [file] = files
  if (files.length > 1) return err('file_ambiguous')
  // A name that cannot be shown exactly could be mistaken for another one.
  if (path.includes('\ufffd')) return err('tool_arguments_invalid', { rule: 'file_name' })
  if (file !== undefined) return version === NEW ? err('event_changed') : ok(file.place)
  if (version !== NEW) return err('event_changed')
  const made = newFile(path, listing.value)
  if (!made.ok) return made
  return made.value.path === path ? ok(made.value.place) : err('event_changed')
}

async function put({ folders, call }: Look, place: FilePlace, text: string): Promise<ToolOutcome> {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MOST_WRITTEN) return err('file_too_large')
  const before = String(call.args['version'])
  const written = await folders.write({ place, bytes, version: before })
  if (!written.ok) return written
  const { version, copy } = written.value
  const undo = before === NEW ? NEW : copy === undefined ? null : `${copy}${OF}${before}`
  const output = { path: String(call.args['path']), size: bytes.length, version, kept: undo !== null }
  return { ok: true, output: { ...output, ...(undo !== null && { undo }) } }
}

/** Separator between the name of a copy and its version. */
const OF = ':'

/**
 * Restores the content before the last write, or puts the file away if it was new. Refusals: event_changed if the file has
 * changed since; remote_not_found if the copy was deleted.
 */
export async function takeBack(look: Look): Promise<ToolOutcome> {
  const { undo, version: now } = look.call.args
  const place = await placeOf(look)
  if (!place.ok) return place
  const path = String(look.call.args['path'])
  if (now === NEW) return err('event_changed')
  if (undo === NEW) {
    const away = await look.folders.putAway(place.value, String(now))
    return away.ok ? { ok: true, output: { path, gone: true } } : away
  }
  const [copy = '', before = ''] = String(undo).split(OF)
  const bytes = await look.folders.kept(place.value, { copy, version: before }, MOST_WRITTEN)
  if (!bytes.ok) return bytes
  const written = await look.folders.write({ place: place.value, bytes: bytes.value, version: String(now) })
  return written.ok ? { ok: true, output: { path, gone: false } } : written
}
