CREATE TABLE `compactions` (
	`principal` text PRIMARY KEY NOT NULL,
	`summary` text NOT NULL,
	`at` integer NOT NULL,
	`told` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
DROP INDEX `turns_at`;--> statement-breakpoint
ALTER TABLE `turns` ADD `bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `turns` ADD `archived` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `turns_live` ON `turns` (`principal`,`at`,`turn`,`bytes`) WHERE archived = 0;--> statement-breakpoint
CREATE INDEX `turns_archived` ON `turns` (`principal`,`at`,`turn`) WHERE archived = 1;--> statement-breakpoint
UPDATE `turns` SET `bytes` = (SELECT coalesce(sum(length(s.bytes) + s.parts * 1000000), 0) FROM `sealed` s WHERE s.id IN (json_extract(`turns`.`words`, '$.id'), json_extract(`turns`.`answer`, '$.id')));
