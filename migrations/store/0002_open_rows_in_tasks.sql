ALTER TABLE `tasks` ADD `open` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
UPDATE `tasks` SET `open` = (
  SELECT json_group_array(json_object('id', e.`id`, 'task', e.`task`, 'n', e.`n`, 'effect', json(e.`doc`), 'status', e.`status`))
  FROM (SELECT * FROM `effects` WHERE `status` <> 'done' ORDER BY `n`) e WHERE e.`task` = `tasks`.`id`
) WHERE `final` = 0;
--> statement-breakpoint
DROP TABLE `effects`;
