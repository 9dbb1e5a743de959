"""More forms of employers, schools, services, homes, clinics and wards of the mainland and of Taiwan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from elision.synth.languages.mixing import More

_EMPLOYERS = (
    "华为", "腾讯", "阿里巴巴", "百度", "京东", "美团", "滴滴", "小米", "字节跳动", "拼多多", "富士康", "比亚迪",
    "格力", "美的", "海尔", "联想", "中兴", "大疆", "宁德时代", "一汽", "东风汽车", "上汽", "吉利", "长城汽车",
    "宝钢", "鞍钢", "首钢", "中石油", "中石化", "中海油", "国家电网", "南方电网", "中国移动", "中国电信", "中国联通",
    "中铁建", "中建三局", "中铁四局", "中车", "国航", "东航", "南航", "海航", "春秋航空", "厦航", "工商银行", "工行",
    "建行", "农业银行", "中国银行", "招商银行", "交行", "邮储银行", "沃尔玛", "家乐福", "大润发", "永辉超市", "华联",
    "物美", "盒马", "海底捞", "肯德基", "麦当劳", "星巴克", "瑞幸", "蜜雪冰城", "顺丰", "圆通", "中通快递", "韵达",
    "邮政", "万科", "恒大", "碧桂园", "万达", "茅台", "伊利", "蒙牛", "双汇", "娃哈哈", "新华书店",
)  # fmt: skip
_PAYERS = (
    "中国人寿", "平安保险", "中国平安", "太平洋保险", "人保财险", "中国人保", "新华保险", "泰康人寿", "太平人寿",
    "友邦", "阳光保险", "大地保险", "中华联合", "众安保险", "水滴筹", "轻松筹", "百年人寿", "合众人寿", "富德生命",
    "天安财险",
)  # fmt: skip
_BODIES = (
    "市医保局", "县医保局", "市疾控", "区疾控中心", "省卫健委", "市卫健委", "人社局", "民政局", "残联", "妇联",
    "共青团", "总工会", "红十字会", "慈善总会", "公安局", "刑警队", "消防大队", "消防支队", "120急救中心",
    "急救中心", "武警支队", "看守所", "戒毒所", "司法局", "法院", "检察院", "中级人民法院", "海关", "边检站",
    "国税局", "财政局", "教体局", "农业农村局", "水利局", "林业局", "气象局", "环卫处", "城管局", "市场监管局",
    "不动产中心", "车管所", "铁路局", "火车站派出所", "军分区", "武装部", "老干局", "社保中心", "救助站", "12355",
    "老年大学", "广电局", "文工团", "居委会", "街道办", "村委会", "党校", "档案馆", "图书馆", "佛教协会",
)  # fmt: skip
_COLLEGES = (
    "北大", "清华", "复旦", "上海交大", "浙大", "南大", "武大", "华科", "中大", "川大", "西安交大", "哈工大", "同济",
    "中南", "湖大", "厦大", "山大", "吉大", "兰大", "郑大", "人大", "北师大", "华师大", "北航", "北理工", "中科大",
    "协和", "首医大", "中国医大", "南医大", "川外", "央美", "北体大", "蓝翔技校", "新东方", "国防科大", "电大",
    "国家开放大学", "西政", "华农",
)  # fmt: skip
_TRADES = (
    "建材", "装饰", "电器", "五金", "机电", "汽修", "汽贸", "轮胎", "运输", "物流", "快递", "家政", "保洁", "保安",
    "物业", "广告", "印刷", "包装", "塑料", "橡胶", "玻璃", "陶瓷", "家具", "木业", "石材", "水泥", "钢构", "模具",
    "铸造", "电镀", "化纤", "印染", "制衣", "鞋业", "皮革", "玩具", "食品", "粮油", "乳业", "茶业", "酒业", "水产",
    "养殖", "种业", "园林", "农机", "矿业", "能源", "光伏", "环保", "生物", "制药", "医疗器械", "软件", "信息",
    "传媒", "文化", "旅游", "教育咨询", "会计师事务所", "劳务", "置业",
)  # fmt: skip
_SHOPS = (
    "饭店", "餐馆", "火锅店", "面馆", "小吃店", "烧烤店", "早餐店", "包子铺", "米粉店", "奶茶店", "咖啡馆", "茶楼",
    "酒楼", "农家乐", "理发店", "美发", "美容院", "足浴店", "网吧", "KTV", "棋牌室", "健身房", "便利店", "小卖部",
    "水果店", "蔬菜店", "粮油店", "烟酒店", "五金店", "药店", "大药房", "眼镜店", "服装店", "鞋店", "手机店",
    "文具店", "书店", "花店", "宠物店", "修车铺", "洗车行", "驾校", "旅馆", "宾馆", "招待所", "养鸡场", "养猪场",
    "砖厂", "木材厂", "加工厂", "豆腐坊", "农场", "照相馆", "影楼", "幼教中心", "培训班",
)  # fmt: skip
_EMPLOYERS_TW = (
    "台積電", "鴻海", "聯電", "聯發科", "華碩", "宏碁", "廣達", "友達", "群創", "日月光", "台塑", "中鋼", "台電",
    "中油", "台糖", "台鐵", "高鐵", "中華電信", "中華郵政", "華航", "長榮航空", "星宇", "統一超商", "全聯", "家樂福",
    "好市多", "全家", "大潤發", "萊爾富", "王品", "鼎泰豐", "麥當勞", "台灣銀行", "土銀", "合庫", "玉山銀行",
    "國泰世華", "中信", "富邦", "台水", "裕隆", "和泰", "遠東紡織", "義美", "國泰人壽", "富邦人壽", "新光人壽",
    "南山人壽", "三商美邦", "台灣人壽",
)  # fmt: skip
_BODIES_TW = (
    "社會局", "衛生局", "勞保局", "健保署", "家防中心", "長照中心", "照管中心", "警察局", "消防局", "地檢署",
    "地方法院", "戶政事務所", "區公所", "鄉公所", "榮服處", "退輔會", "海巡署", "陸軍", "空軍基地", "憲兵隊", "慈濟",
    "世界展望會", "家扶中心", "伊甸基金會", "創世基金會", "陽光基金會", "董氏基金會", "罕病基金會", "康復之友協會",
    "生命線", "張老師", "勵馨", "弘道", "紅十字會", "獅子會", "扶輪社", "農會", "漁會", "工會", "疾管署", "移民署",
    "國稅局", "監理站", "少輔會", "喜憨兒", "心路", "門諾", "失智症協會",
)  # fmt: skip
_COLLEGES_TW = (
    "台大", "政大", "清大", "交大", "陽明", "成大", "中央", "中山", "中興", "師大", "北醫", "高醫", "輔大", "東吳",
    "淡江", "文化", "逢甲", "東海", "中原", "銘傳", "北科大", "台科大", "高科大", "建中", "北一女", "雄中", "南一中",
    "中一中", "竹女", "長庚科大",
)  # fmt: skip
_TRADES_TW = (
    "營造", "工程行", "機械", "塑膠", "五金", "食品", "貿易", "物流", "貨運", "客運", "保全", "清潔", "印刷", "建設",
    "室內設計", "生技", "藥廠", "光電", "半導體", "軟體", "資訊", "會計師事務所", "法律事務所", "房屋", "旅行社",
    "工業", "鋼鐵", "汽車", "水電行",
)  # fmt: skip
_SHOPS_TW = (
    "小吃店", "早餐店", "自助餐", "牛肉麵", "便當店", "火鍋", "飲料店", "咖啡", "麵包店", "餐廳", "檳榔攤", "雜貨店",
    "五金行", "機車行", "髮廊", "美容", "藥局", "書局", "花店", "水果行", "民宿", "旅社", "補習班", "安親班",
    "洗車場", "養雞場", "果園", "茶園", "銀樓",
)  # fmt: skip

ORGANIZATION_WORDS: Mapping[str, Callable[[], Sequence[str]]] = {
    "employers": lambda: _EMPLOYERS,
    "payers": lambda: _PAYERS,
    "bodies": lambda: _BODIES,
    "colleges": lambda: _COLLEGES,
    "trades": lambda: _TRADES,
    "shops": lambda: _SHOPS,
    "employers_tw": lambda: _EMPLOYERS_TW,
    "bodies_tw": lambda: _BODIES_TW,
    "colleges_tw": lambda: _COLLEGES_TW,
    "trades_tw": lambda: _TRADES_TW,
    "shops_tw": lambda: _SHOPS_TW,
    "colour": lambda: tuple("红蓝绿金白"),
    "nick": lambda: ("老", "小", "阿", "胖", "大"),
}  # fmt: skip

# A list that both sides need stands in rows of two weights, so that each side has one.
MORE_CN: More = {
    "organization": (0.413, (
        "6: {employers}", "1.8: {employers}", "2: {payers}", "0.25: {payers}", "3.95: {bodies}", "1.1: {bodies}",
        "2: {city:short}{employers}", "{employers}{city:short}分公司", "{payers}{city:short}支公司",
        "{city:short}{bodies}", "{area}{bodies}", "2: {firm}{trades}", "2: {firm}{trades}有限公司",
        "{city:short}{firm}{trades}有限责任公司", "{state}{firm}{trades}股份有限公司", "{firm}{trades}厂",
        "{firm}集团", "{firm}控股", "{stem}{trades}厂", "{stem}{trades}", "2: {clan}记{shops}", "{clan}家{shops}",
        "{nick}{clan}{shops}", "{clan}氏{trades}", "{firm}{shops}", "{stem}{shops}", "{road}{shops}",
        "{stem}{clan}家农场", "{stem}养殖场", "{stem}家庭农场", "{firm}航空", "{city:short}机场",
        "{city:short}银行{stem}支行", "{stem}信用社", "{firm}财险{city:short}中心支公司", "{firm}互助会",
        "{stem}工会", "{city:short}市总工会", "{firm}{trades}工会委员会", "{stem}镇政府", "{stem}乡人民政府",
        "{city:short}市政府", "{area}政府", "{area}人民法院", "{area}检察院", "{stem}法庭", "{area}公安分局",
        "{stem}派出所", "{city:short}消防支队", "{stem}监狱", "{city:short}强制隔离戒毒所",
        "{n:71000-96999}部队{n:10-99}分队", "{state}军区某部", "武警{city:short}支队", "海军某舰", "{stem}教堂",
        "{stem}清真寺", "{firm}寺", "{stem}道观", "{stem}基督教堂", "{city:short}象棋协会", "{stem}合唱团",
        "{stem}广场舞队", "{city:short}羽毛球俱乐部", "{firm}足球队", "{firm}基金会", "{firm}公益基金会",
        "{stem}志愿者协会", "{city:short}病友会", "{city:short}肾友会", "{firm}居家养老服务中心", "{firm}家政",
        "{stem}日间照料中心", "{city:short}心理危机干预中心", "{city:short}市未成年人保护中心", "{firm}医学检验所",
        "{firm}检验中心", "{firm}大药房", "{firm}药店{stem}店", "{city:short}市疾控中心", "{area}社区矫正中心",
        "{stem}社区居委会", "{stem}村合作医疗站", "{stem}网格", "{#:???}公司", "{#:??}科技", "2: {#:???}",
        "{#:????}", "{#:?}厂", "{n:1-20}号矿", "{city:short}{n:1-12}建", "{count}棉厂", "市{count}建公司",
        "中铁{n:1-25}局", "{city:short}公交{n:1-9}公司",
    )),
    "school": (0.5, (
        "3: {colleges}", "0.75: {colleges}", "{stem}中学", "{stem}一中", "{n:1-30}中", "{city:short}{n:1-60}中",
        "{firm}双语学校", "{firm}国际学校", "{city:short}外国语学校", "{stem}职高", "{stem}技校", "{city:short}卫校",
        "{state}医科大学", "{state}农大", "{state}师大附中", "{stem}希望小学", "{stem}村小", "{stem}特殊教育学校",
        "{colour}太阳幼儿园", "{firm}托儿所", "{firm}早教中心", "{city:short}开放大学", "{city:short}学院",
        "{stem}九年一贯制学校",
    )),
    "clinic": (1.475, (
        "{firm}诊所", "{firm}中医馆", "{clan}医生诊所", "{firm}齿科", "{stem}卫生所", "{stem}村医务室",
        "{firm}中西医结合门诊", "{area}社区医院", "{stem}社康中心", "{firm}国医堂", "{stem}厂医院", "{clan}家诊所",
    )),
    "care_home": (1.353, (
        "{firm}老年公寓", "{stem}光荣院", "{firm}长者照护之家", "{stem}养老服务中心", "{firm}康养中心",
        "{firm}托老所", "{stem}敬老中心", "{city:short}社会福利院", "{firm}安宁疗护中心", "{stem}幸福院",
        "{firm}之家",
    )),
    "department": (1.16, (
        "{departments}组", "{departments}中心", "日间手术中心", "日间病房", "{departments}{inner}区",
        "{departments}MDT团队", "{departments}专病门诊", "{departments}一部", "综合{small}科", "特需门诊", "国际部",
        "急诊{inner}科",
    )),
    "ward": (1.033, (
        "{departments}{n:1-12}病区", "{n:3-25}楼{compass}", "{n:3-25}F病房", "{n:1-9}号楼{n:2-18}层",
        "{compass}楼{n:2-12}病区", "短期留观病房", "日间病房", "特需病房", "{#:[A-F]}区", "住院部{n:2-20}楼",
        "{departments}ICU", "{n:3-25}{compass}", "综合{small}病区", "隔离病房", "{n:1-9}-{n:2-18}病区",
    )),
}  # fmt: skip
MORE_TW: More = {
    "organization": (0.407, (
        "3.95: {employers_tw}", "1: {employers_tw}", "2.95: {bodies_tw}", "0.65: {bodies_tw}",
        "{city:short}{bodies_tw}", "{employers_tw}{city:short}店", "{firm_tw}{trades_tw}",
        "{firm_tw}{trades_tw}股份有限公司", "{firm_tw}{trades_tw}有限公司", "{stem_tw}{trades_tw}",
        "{clan_tw}記{shops_tw}", "{firm_tw}{shops_tw}", "{stem_tw}{shops_tw}", "阿{clan_tw}{shops_tw}",
        "{firm_tw}企業社", "{firm_tw}集團", "{stem_tw}農場", "{firm_tw}航空", "{firm_tw}銀行", "{stem_tw}信用合作社",
        "{firm_tw}產險", "{stem_tw}產業工會", "{city}政府", "{towntw}公所", "{stem_tw}分局", "{stem_tw}消防分隊",
        "{city:short}地院", "{city:short}地檢署", "{city:short}監獄", "{n:101-590}旅", "{stem_tw}營區",
        "{stem_tw}宮", "{firm_tw}寺", "{stem_tw}教會", "{firm_tw}教會", "{stem_tw}清真寺", "{stem_tw}合唱團",
        "{stem_tw}社區發展協會", "{stem_tw}巡守隊", "{firm_tw}基金會", "{firm_tw}病友協會", "{firm_tw}居家護理所",
        "{firm_tw}居服單位", "{stem_tw}日照中心", "{stem_tw}關懷據點", "{city:short}心衛中心", "{firm_tw}醫事檢驗所",
        "{firm_tw}藥局", "{city}衛生局", "{#:???}", "{#:????}",
    )),
    "school": (0.62, (
        "2: {colleges_tw}", "0.45: {colleges_tw}", "{city:short}女中", "{city:short}高工", "{stem_tw}國民小學",
        "{firm_tw}托嬰中心", "{firm_tw}安親班", "{stem_tw}啟智學校", "{firm_tw}護專", "{stem_tw}附幼",
        "{stem_tw}社區大學", "{stem_tw}家商", "{stem_tw}完全中學",
    )),
    "clinic": (1.017, (
        "{clan_tw}診所", "{firm_tw}牙醫", "{firm_tw}中醫診所", "{firm_tw}身心診所", "{stem_tw}衛生室",
        "{firm_tw}復健科", "{firm_tw}眼科", "{clan_tw}小兒科", "{firm_tw}健檢中心",
    )),
    "care_home": (1, (
        "{firm_tw}養護所", "{firm_tw}長照機構", "{stem_tw}仁愛之家", "{firm_tw}康復之家", "{firm_tw}團體家屋",
        "{firm_tw}月子中心", "{stem_tw}老人公寓", "{firm_tw}住宿長照", "{firm_tw}安養院",
    )),
    "department": (0.787, (
        "{departments_tw}團隊", "{departments_tw}中心", "日間手術室", "日間病房", "{departments_tw}特別門診",
        "居家醫療團隊", "安寧共照組", "出院準備小組", "門診{n:1-40}診", "個管組",
    )),
    "ward": (0.9, (
        "{n:3-15}樓", "{n:3-15}西病房", "{n:3-15}東", "{n:3-15}C", "{departments_tw}{n:3-15}樓", "短期留觀病房",
        "日間病房", "安寧病房", "{n:1-9}{n:0-9}W", "護理站{n:3-15}A", "{n:2-9}E病房", "精神科急性病房",
    )),
}  # fmt: skip
