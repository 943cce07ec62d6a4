/**
 * The configuration of this state folder, for commands that change it. Creates the folder and config.toml if missing. Must not
 * change a setting. Called by the commands beside it.
 */
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { ensureConfig } from '../../config/config-edit.ts'
import { openStateFolder } from '../../store/state-folder.ts'
import type { CommandContext } from '../command.ts'
import { statePaths } from '../state-paths.ts'

export interface OpenedConfig {
  readonly config: Config
  readonly paths: ReturnType<typeof statePaths>
}

/** Refusals: those of `openStateFolder` and `loadConfig`. */
export function openConfig({ environment }: Pick<CommandContext, 'environment'>): Result<OpenedConfig> {
  const paths = statePaths(environment)
  const folder = openStateFolder(paths.root)
  if (!folder.ok) return folder
  ensureConfig(paths.config)
  const config = loadConfig(environment, paths.root)
  return config.ok ? ok({ config: config.value, paths }) : config
}
