/**
 * What the files tool may do in the folders that the owner named. Types only: home implements it, where the file system is (sidecar/folders). Takes no
 * path that somebody wrote: only a place that its own listing gave. Must not name a folder. Called by run.ts.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'

/** A file of the listing. */
export interface ListedFile {
  /** As it is shown: the folder's name, then the way to the file, without invisible characters. Somebody else may have chosen it. */
  readonly path: string
  readonly size: number
  /** Epoch milliseconds. */
  readonly changed: number
  readonly place: FilePlace
}

/** The folder by its position among those of the owner, and the names below it as the file system has them. */
export interface FilePlace {
  readonly folder: number
  readonly names: readonly string[]
}

export interface Listing {
  readonly files: readonly ListedFile[]
  /** Folders as they are shown, for new files. */
  readonly folders: readonly { readonly path: string; readonly place: FilePlace }[]
  /** A bound ended the walk, or a part of it could not be read. */
  readonly partial: boolean
}

export interface FileContent {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, in hex. */
  readonly version: string
}

/** The version of a file that is not there. */
export const NEW = 'new'

export interface FileChange {
  readonly place: FilePlace
  readonly bytes: Uint8Array
  /** What is replaced: the version that is expected there, or `NEW`. */
  readonly version: string
}

export interface Written {
  /** Of the file now. */
  readonly version: string
  /** By which what was replaced is read again (`kept`); absent for a new file, and where no copy could be made. */
  readonly copy?: string
}

/** Refusals of all: folder_gone, file_denied, remote_not_found. */
export interface FolderPort {
  /** Whether the owner named any folder. */
  readonly named: boolean
  list(): Promise<Result<Listing>>
  /** Refusal: file_too_large for more than `most` bytes. */
  read(place: FilePlace, most: number): Promise<Result<FileContent>>
  /**
   * Replaces the whole file or makes a new one: afterwards either all bytes are there or none. What is replaced is copied first. Refusals: event_changed if
   * something else is there than `version` says, storage_full.
   */
  write(change: FileChange): Promise<Result<Written>>
  /**
   * A copy of what was replaced in the named folder of this place, if its bytes are that version; the oldest are not kept. Refusal: file_too_large for more than
   * `most` bytes.
   */
  kept(
    place: FilePlace,
    of: { readonly copy: string; readonly version: string },
    most: number,
  ): Promise<Result<Uint8Array>>
  /** SHA-256 of a file of any size that is moved, in hex. Refusal: file_too_large. */
  version(place: FilePlace): Promise<Result<string>>
  /** To a place where nothing is. Refusals: event_changed if another version is there, or something at the new place. */
  move(from: FilePlace, to: FilePlace, version: string): Promise<Result<true>>
  /** Out of sight, within the same named folder. Returns by what it is brought back. Refusals: those of `move`. */
  putAway(place: FilePlace, version: string): Promise<Result<string>>
  /** What was put away under this name, to a place where nothing is. Refusals: those of `move`. */
  bringBack(kept: string, to: FilePlace, version: string): Promise<Result<true>>
}
