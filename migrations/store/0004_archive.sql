DROP INDEX `memory_principal`;--> statement-breakpoint
ALTER TABLE `memory` ADD `archived` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `memory_principal` ON `memory` (`principal`,`archived`,`seq`);