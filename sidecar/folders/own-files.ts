/**
 * The owner's folders for the mail tool: one file, by what was typed, whole. Typed words are compared with the names of a listing and become no path. Must
 * not write. Called by home-tools.ts.
 */

import { meantBy } from '../../integrations/extractors/file-name.ts'
import type { OwnFiles } from '../../integrations/tools/email/mailbox-port.ts'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'

export function ownFilesIn(folders: FolderPort | undefined): OwnFiles {
  return {
    async find(typed, most) {
      if (folders?.named !== true) return err('folder_not_named')
      const listing = await folders.list()
      if (!listing.ok) return listing
      const meant = meantBy(typed, listing.value.files)
      if (meant.is === 'none') return err('remote_not_found', { what: 'file' })
      if (meant.is === 'several') return err('file_ambiguous')
      const { path, place } = meant.file
      const content = await folders.read(place, most)
      if (!content.ok) return content
      return ok({ path, name: place.names.at(-1) ?? '', bytes: content.value.bytes })
    },
  }
}
