-- What is looked at is one note at a time: for what one note tells of a patient's others, use `elision run`.
select id, n.text as note, n.why, n.receipt
from (select id, elision_note(note, id::varchar, person::varchar) as n from {{ source('lake', 'notes') }})
