/**
 * Sentences about how the owner's prompt files were used. They name files and sections and never quote them. Called by the
 * handler of `/reload` and at start.
 */
import type { DocumentNotice } from './override.ts'

export function noticeWords({ about, file, at }: DocumentNotice): string {
  switch (about) {
    case 'file_unreadable':
      return `${file} was left out${at === null ? '' : ` (${at})`}: it has a part that I cannot use. My own text stands instead.`
    case 'section_is_hard':
      return `${file} has a section "${at ?? ''}", which cannot be replaced. The rest of the file is used.`
    case 'older_layout':
      return `${file} is used in the older layout. prompts/SYSTEM.md is the newer one; nothing was deleted.`
    case 'older_layout_unused':
      return `${file} is not used, because there is a prompts/SYSTEM.md. It was not deleted.`
  }
}
