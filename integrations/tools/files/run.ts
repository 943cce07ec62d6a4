/**
 * The files tool: maps actions to their code. Does nothing if the owner named no folder. Must not name a path. Called through
 * integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HomeToolPowers } from '../package.ts'
import { findFile, gatherFiles, type Look, listFiles, readFile, searchFiles } from './look.ts'
import { FILES_MANIFEST } from './manifest.ts'
import { deleteFile, lookForMove, moveFile, putBack } from './relocate.ts'
import { appendToFile, takeBack, writeFile } from './write.ts'

const ACTIONS: ReadonlyMap<string, (look: Look) => Promise<ToolOutcome>> = new Map([
  ['files.list', listFiles],
  ['files.search', searchFiles],
  ['files.read', readFile],
  ['files.gather', gatherFiles],
  ['files.find', findFile],
  ['files.write', writeFile],
  ['files.append', appendToFile],
  ['files.take_back', takeBack],
  ['files.spot', lookForMove],
  ['files.move', moveFile],
  ['files.delete', deleteFile],
  ['files.put_back', putBack],
])

export function createFilesTool({
  folders,
  htmlText,
  document,
}: Pick<HomeToolPowers, 'folders' | 'htmlText' | 'document'>): Tool {
  return {
    manifest: FILES_MANIFEST,
    isIdle: () => folders?.named !== true,
    execute: async (call) => {
      const action = ACTIONS.get(call.action)
      if (action === undefined) return err('tool_unknown')
      if (folders?.named !== true) return err('folder_not_named')
      const reader = document ?? (async () => err('file_not_text'))
      return action({ folders, htmlText, document: reader, call })
    },
  }
}
