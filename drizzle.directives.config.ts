/** Where drizzle-kit finds the schema of home's directive files and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './sidecar/directives/directive-schema.ts',
  out: './migrations/directives',
})
