/**
 * Operations of the files tool in the folders that the owner named. Types only: home implements them, where the file system is
 * (sidecar/folders). Takes no path that somebody wrote, only a place from its own listing. Must not name a folder. Called by the
 * files of this folder.
 */
import type { Result } from '../../../kernel/flow/verdict.ts'

/** A file of the listing. */
export interface ListedFile {
  /** Path as shown: the folder's name, then the path below it, without invisible characters. Others may have chosen its names. */
  readonly path: string
  readonly size: number
  /** Epoch milliseconds. */
  readonly changed: number
  readonly place: FilePlace
}

/** The folder's index among those of the owner, and the names below it in the file system. */
export interface FilePlace {
  readonly folder: number
  readonly names: readonly string[]
}

export interface Listing {
  readonly files: readonly ListedFile[]
  /** Folders as shown, for new files. */
  readonly folders: readonly { readonly path: string; readonly place: FilePlace }[]
  /** The listing reached a bound, or a part of it could not be read. */
  readonly partial: boolean
}

export interface FileContent {
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes, in hex. */
  readonly version: string
}

/** Version of a file that does not exist. */
export const NEW = 'new'

export interface FileChange {
  readonly place: FilePlace
  readonly bytes: Uint8Array
  /** Expected version of the file that is replaced, or `NEW`. */
  readonly version: string
}

export interface Written {
  /** Version of the file after the write. */
  readonly version: string
  /** Name of the copy of what was replaced (`kept`); absent for a new file, and if no copy could be made. */
  readonly copy?: string
}

/** Refusals of all methods: folder_gone, file_denied, remote_not_found. */
export interface FolderPort {
  /** Whether the owner named any folder. */
  readonly named: boolean
  list(): Promise<Result<Listing>>
  /** Refusal: file_too_large for more than `most` bytes. */
  read(place: FilePlace, most: number): Promise<Result<FileContent>>
  /**
   * Replaces the whole file or creates one, atomically. What is replaced is copied first. Refusals: event_changed if the present
   * version is not `version`, storage_full.
   */
  write(change: FileChange): Promise<Result<Written>>
  /**
   * The copy of what was replaced in the folder of this place, if its bytes are that version; the oldest copies are deleted.
   * Refusal: file_too_large.
   */
  kept(
    place: FilePlace,
    of: { readonly copy: string; readonly version: string },
    most: number,
  ): Promise<Result<Uint8Array>>
  /** SHA-256 of a file of any size that is to be moved, in hex. Refusal: file_too_large. */
  version(place: FilePlace): Promise<Result<string>>
  /**
   * Moves to a place where nothing exists. Refusals: event_changed for another version, or if something exists at the new place.
   */
  move(from: FilePlace, to: FilePlace, version: string): Promise<Result<true>>
  /**
   * Moves the file to a hidden place in the same named folder. Returns the name by which it can be restored. Refusals: those of
   * `move`.
   */
  putAway(place: FilePlace, version: string): Promise<Result<string>>
  /** Restores what was put away under this name, to a place where nothing exists. Refusals: those of `move`. */
  bringBack(kept: string, to: FilePlace, version: string): Promise<Result<true>>
}
