/**
 * Renames, moves and deletes a file, and undoes that: exactly the path and version on the card, to a place where nothing exists.
 * Must not replace or erase anything. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { bareName, meantBy } from '../../extractors/file-name.ts'
import type { FilePlace, ListedFile, Listing } from './folder-port.ts'
import type { Look } from './look.ts'
import { newFile } from './names.ts'

/** Name shown for a deleted file, after its named folder. */
const AWAY = '(put away)'
const ENDING = /\.[A-Za-z0-9]{1,10}$/

/** Refusals: remote_not_found, file_ambiguous; those of `newFile` and of folders. */
export async function lookForMove({ folders, call }: Look): Promise<ToolOutcome> {
  const listing = await folders.list()
  if (!listing.ok) return listing
  const meant = meantBy(String(call.args['file']), listing.value.files)
  if (meant.is === 'none') return err('remote_not_found', { what: 'file' })
  if (meant.is === 'several') return err('file_ambiguous')
  const { path, place, size } = meant.file
  const version = await folders.version(place)
  if (!version.ok) return version
  const { to } = call.args
  const spot = typeof to === 'string' ? spotFor(to, meant.file, listing.value) : ok({ path })
  if (!spot.ok) return spot
  const isTaken = typeof to === 'string' && listing.value.files.some((one) => one.path === spot.value.path)
  const state = isTaken ? 'taken' : 'free'
  return { ok: true, output: { path, to: spot.value.path, version: version.value, state, size } }
}

interface Place {
  readonly path: string
  readonly place: FilePlace
}

/**
 * Target of a move: an existing folder, keeping the name; otherwise a name in the file's own folder, with its own extension if
 * none is typed; otherwise a path.
 */
function spotFor(typed: string, { path, place }: ListedFile, listing: Listing): Result<Place> {
  const bare = bareName(typed).replace(/\/+$/, '')
  const low = bare.toLowerCase()
  const name = place.names.at(-1) ?? ''
  const into = listing.folders.filter(
    (one) => one.path.toLowerCase() === low || one.path.toLowerCase().endsWith(`/${low}`),
  )
  const [folder] = into
  if (folder !== undefined && into.length > 1) return err('file_ambiguous')
  if (folder !== undefined) return newFile(`${folder.path}/${name}`, listing)
  const ending = ENDING.exec(name)?.[0] ?? ''
  const whole = ENDING.test(bare) ? bare : `${bare}${ending}`
  const own = path.slice(0, path.lastIndexOf('/'))
  return newFile(whole.includes('/') ? whole : `${own}/${whole}`, listing)
}

export async function moveFile(look: Look): Promise<ToolOutcome> {
  const { path, to, version } = words(look, ['path', 'to', 'version'])
  const places = await placesOf(look, { from: path, to })
  if (!places.ok) return places
  const moved = await look.folders.move(places.value.from, places.value.to, version)
  return moved.ok ? { ok: true, output: { now: to, was: path, version } } : moved
}

export async function deleteFile(look: Look): Promise<ToolOutcome> {
  const { path, version } = words(look, ['path', 'version'])
  const listing = await look.folders.list()
  if (!listing.ok) return listing
  const from = exactly(path, listing.value)
  if (!from.ok) return from
  const kept = await look.folders.putAway(from.value, version)
  if (!kept.ok) return kept
  return { ok: true, output: { now: `${AWAY}/${kept.value}`, was: path, version } }
}

export async function putBack(look: Look): Promise<ToolOutcome> {
  const { now, was, version } = words(look, ['now', 'was', 'version'])
  const away = now.startsWith(`${AWAY}/`) ? now.slice(AWAY.length + 1) : null
  const places = await placesOf(look, { from: away === null ? now : null, to: was })
  if (!places.ok) return places
  const { from, to } = places.value
  const back =
    away === null
      ? await look.folders.move(from, to, version)
      : await look.folders.bringBack(away, to, version)
  return back.ok ? { ok: true, output: { path: was } } : back
}

/** Exactly the approved paths. `from`: null for a file that is not listed. Refusals: event_changed; those of `newFile`. */
async function placesOf(
  { folders }: Look,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<Result<{ readonly from: FilePlace; readonly to: FilePlace }>> {
  const listing = await folders.list()
  if (!listing.ok) return listing
  if (listing.value.files.some(({ path }) => path === to)) return err('event_changed')
  const made = newFile(to, listing.value)
  if (!made.ok) return made
  if (made.value.path !== to) return err('event_changed')
  const own = from === null ? ok(made.value.place) : exactly(from, listing.value)
  return own.ok ? ok({ from: own.value, to: made.value.place }) : own
}

function exactly(path: string, { files }: Listing): Result<FilePlace> {
  const found = files.filter((file) => file.path === path)
  const [file] = found
  if (found.length > 1) return err('file_ambiguous')
  // A name that cannot be shown exactly could be mistaken for another one.
  if (path.includes('\ufffd')) return err('tool_arguments_invalid', { rule: 'file_name' })
  return file === undefined ? err('event_changed') : ok(file.place)
}

function words<const T extends string>(
  { call: { args } }: Look,
  names: readonly T[],
): Readonly<Record<T, string>> {
  return Object.fromEntries(names.map((name) => [name, String(args[name])])) as Record<T, string>
}
