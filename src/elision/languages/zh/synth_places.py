"""Chinese places: towns that there are and towns that there could be, addresses, hospitals, wards, firms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random

from elision.languages.synth_lists import HELD_OUT, TRAIN, held_out, list_file, sided
from elision.languages.synth_mixing import mixed
from elision.languages.zh.synth_organizations import MORE_CN, MORE_TW

# The first two digits of the postcodes of a province.
_ZIPS = dict(zip(
    ["北京", "上海", "天津", "重庆", "河北", "山西", "内蒙", "辽宁", "吉林", "黑龙", "江苏", "浙江", "安徽", "福建",
        "江西", "山东", "河南", "湖北", "湖南", "广东", "广西", "海南", "四川", "贵州", "云南", "西藏", "陕西",
        "甘肃", "青海", "宁夏", "新疆"],
    ["10", "20", "30", "40", "05", "03", "01", "11", "13", "15", "21", "31", "23", "35", "33", "25", "45", "43",
        "41", "51", "53", "57", "61", "55", "65", "85", "71", "73", "81", "75", "83"], strict=True,
))  # fmt: skip
_CITIES_TW = ["台北市", "新北市", "桃園市", "台中市", "台南市", "高雄市", "基隆市", "新竹市", "新竹縣", "苗栗縣",
    "彰化縣", "南投縣", "雲林縣", "嘉義市", "嘉義縣", "屏東縣", "宜蘭縣", "花蓮縣", "台東縣", "澎湖縣",
    "金門縣"]  # fmt: skip


@cache
def _divisions(side: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in sided(list_file("zh", "divisions"), side))


def _invented(rng: Random, side: str) -> str:
    """A name of two characters for a place that there is not, on its side."""
    heads, tails = (list_file("zh", "place-characters")[at] for at in (0, 1))
    while True:
        name = rng.choice(heads) + rng.choice(tails)
        if side not in (HELD_OUT, TRAIN) or held_out(name) == (side == HELD_OUT):
            return name


def _short(name: str) -> str:
    for end in ("特别行政区", "壮族自治区", "回族自治区", "维吾尔自治区", "自治区", "省", "市", "地区", "盟"):
        if name.endswith(end) and len(name) > len(end) + 1:
            return name.removesuffix(end)
    return name


def cn_place(rng: Random, side: str) -> Mapping[str, str]:
    """A province, a city in it, a county or district of the city, and a postcode."""
    state, city, *areas = rng.choice(_divisions(side))
    area = rng.choice(areas)
    if rng.random() < 0.45:
        city = _invented(rng, side) + rng.choice(("市", "市", "市", "县"))
        area = _invented(rng, side) + rng.choice(("区", "区", "县", "市") if city.endswith("市") else ("镇", "乡"))
    zipped = (
        f"{_ZIPS.get(state[:2], '32')}{rng.randint(0, 79):02}{rng.choice(('00', '00', f'{rng.randint(1, 30):02}'))}"
    )
    return {
        "city": city,
        "city:short": _short(city),
        "state": _short(state),
        "state:long": state,
        "zip": zipped,
        "area": area,
    }


def tw_place(rng: Random, side: str) -> Mapping[str, str]:
    city = rng.choice(_CITIES_TW)
    area = rng.choice(sided(list_file("zh", "towns-tw"), side))
    if rng.random() < 0.3:
        area = (
            rng.choice("柳雲和松竹梅南北東新永安")
            + rng.choice("濱塘溪埔崙寮園湖港厝林豐")
            + rng.choice(("區", "鄉", "鎮"))
        )
    code = f"{rng.randint(100, 983)}" + rng.choice(("", "", f"{rng.randint(1, 60):02}", f"-{rng.randint(1, 60):02}"))
    return {"city": city, "city:short": city[:2], "state": city, "state:long": city, "zip": code, "area": area}


_N = "{n:1-300}"
_MADE_CN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "roadname": ("STREET", ("6: {road}路", "2: {road}街", "2: {road}大道", "{road}东路", "{road}西路", "{road}北路",
        "{road}南路", "{road}大街",
                            "0.6: {road}巷", "0.5: {road}胡同", "0.5: {road}弄", "{road}中路")),
    "unit": ("ADDRESS", ("4: {n:1-30}栋{n:1-4}单元{n:101-2904}室", "3: {n:1-40}号楼{n:101-1804}室",
        "2: {n:1-30}幢{n:101-999}室", "{n:1-20}-{n:1-4}-{n:101-1802}",
                         "{n:1-12}座{n:301-2802}", "{n:1-30}号楼{n:1-5}单元{n:101-999}", "2: {n:1-30}栋{n:101-999}")),
    "house": ("ADDRESS", ("{estatename}{unit}", "{unit}")),
    "estatename": ("LOCATION_OTHER", ("3: {stem}小区", "3: {stem}花园", "2: {stem}家园", "2: {firm}苑",
        "{stem}新村", "{firm}公寓", "{stem}华庭", "{firm}国际城",
                                      "{stem}雅居", "{road}里", "{firm}家属院", "{stem}名邸", "{firm}公馆",
                                      "{stem}嘉园", "{stem}山庄")),
    "estate": ("LOCATION_OTHER", ("{estatename}",)),
    "villagename": ("CITY", ("3: {stem}村", "2: {clan}家村", "{clan}家庄", "{clan}家屯", "{stem}屯", "{clan}家寨",
        "{clan}庄村", "{stem}店村", "大{clan}庄", "{stem}湾村")),
    "townname": ("CITY", ("4: {stem}镇", "2: {stem}乡", "{stem}街道", "{clan}家镇", "{stem}桥镇")),
    "village": ("CITY", ("{villagename}", "2: {townname}", "{townname}{villagename}")),
    "county": ("CITY", ("{area}",)),
    "district": ("CITY", ("{countyname}",)),
    "street": ("STREET", (f"6: {{roadname}}{_N}号", "3: {roadname}{n:1-300}号{unit}",
        "{roadname}{n:1-99}弄{n:1-60}号{n:101-902}室", "{roadname}{n:1-300}号{estatename}{unit}")),
    "address": ("ADDRESS", (
        "4: {state:long}{city}{area}{roadname}{n:1-300}号", "4: {city}{area}{estatename}{unit}",
        "3: {state:long}{city}{area}{estatename}{unit}",
        "3: {area}{townname}{villagename}{n:1-20}组", "2: {state:long}{area}{townname}{villagename}",
        "2: {city}{area}{roadname}{n:1-300}号{estatename}{unit}",
        "2: {city}{roadname}{n:1-300}号", "2: {area}{roadname}{n:1-99}弄{n:1-60}号{n:101-902}室",
        "{state}{city}{area}{townname}{villagename}{n:1-200}号",
        "{city:short}{area}{estatename}", "{area}{townname}{villagename}",
        "{townname}{villagename}{n:1-15}组{n:1-90}号", "{city}{area}{townname}{roadname}{n:1-300}号",
        "{area}{estatename}{unit}", "{area}{roadname}{n:1-300}号")),
    "landmark": ("LOCATION_OTHER", ("3: {stem}菜市场", "2: {stem}公园", "2: {road}广场", "{stem}火车站",
        "{stem}水库", "{road}路口", "{firm}超市", "{firm}酒店", "{stem}大桥",
                                    "{stem}高速", "{firm}商场", "{stem}码头", "{stem}夜市", "{stem}隧道",
                                    "{stem}景区", "{firm}宾馆", "{stem}农场", "{stem}车站")),
    "hospital": ("HOSPITAL", (
        "5: {cityname}市第{count}人民医院", "4: {cityname}市妇幼保健院", "3: {city:short}市人民医院",
        "3: {cityname}市中心医院", "3: {countyname}人民医院",
        "2: {stem}市第{count}人民医院", "2: {stem}市妇幼保健院", "2: {countyname}中医院", "2: {stem}医院",
        "2: {stem}大学附属第{count}医院", "2: {cityname}市中医医院",
        "2: {stem}医科大学附属{road}医院", "2: {countyname}妇幼保健院", "{state}省人民医院", "{state}省立医院",
        "{state}省肿瘤医院", "{cityname}市儿童医院",
        "{stem}妇产医院", "解放军第{n:80-480}医院", "{cityname}市{road}医院", "{firm}骨科医院", "{stem}县人民医院",
        "{cityname}市传染病医院", "{firm}眼科医院",
        "{cityname}市第{count}人民医院{compass}院区", "{stem}医学院附属医院", "武警{state}总队医院",
        "{cityname}市肿瘤医院", "{cityname}市精神卫生中心",
        "{stem}矿务局总医院", "{cityname}铁路医院", "{state}医科大学第{count}附属医院", "{stem}市{stem}区人民医院",
        "{cityname}市胸科医院", "{firm}妇儿医院")),
    "hospital:short": ("HOSPITAL", ("3: {citychar}市{count}院", "3: 市{count}院", "2: 县医院", "2: 县人民医院",
        "2: 市人民医院", "市妇幼", "市妇幼保健院", "{city:short}{count}院",
                                    "省人民医院", "省肿瘤医院", "县中医院", "市中心医院", "{stem}医院",
                                    "附{count}院", "省立医院", "区人民医院", "2: {state}省妇幼")),
    "clinic": ("CARE_FACILITY", (
        "4: {stem}街道社区卫生服务中心", "3: {stem}镇卫生院", "2: {stem}乡卫生院", "2: {stem}社区卫生服务站",
        "{villagename}卫生室", "{stem}镇中心卫生院", "{firm}体检中心",
        "{clan}氏诊所", "{stem}门诊部", "{road}社区卫生服务中心", "{firm}口腔门诊部", "{stem}血透中心",
        "{city:short}市急救中心", "{stem}区疾控中心")),
    "care_home": ("CARE_FACILITY", ("3: {firm}养老院", "2: {stem}敬老院", "2: {firm}颐养院", "{stem}福利院",
        "{firm}护理院", "{stem}老年公寓", "{firm}月子中心", "{stem}康复中心")),
    "department": ("DEPARTMENT", ("7: {departments}", "2: {departments}门诊", "{departments}{small}病区",
        "{departments}病房")),
    "ward": ("DEPARTMENT", (
        "4: {departments}{small}病区", "3: {small}病区", "2: {departments}{small}区", "2: {n:3-25}病区",
        "{compass}{small}病区", "{n:2-20}A病区", "{n:2-20}B病房", "{inner}{small}科",
        "2: 产科{small}病区", "2: {units}", "产科病房", "{compass}{n:2-12}病区")),
    "room": ("ROOM", ("6: {n:1-90}", "2: {n:1-30}-{n:1-40}", "2: 加{n:1-12}", "{n:10-99}", "0{n:1-9}",
        "{n:100-1999}", "+{n:1-9}", "A{n:1-30}", "{n:1-20}-{n:1-30}")),
    "room:named": ("ROOM", ("{n:1-60}", "{n:101-1220}")),
    "room:bed": ("ROOM", ("6: {n:1-90}床", "2: {n:1-30}-{n:1-40}床", "2: 加{n:1-12}床", "{n:10-99}床", "0{n:1-9}床",
        "{n:1-60}号床", "+{n:1-9}床", "抢{n:1-6}床", "{n:1-20}-{n:1-30}床")),
    "school": ("ORGANIZATION", ("3: {city:short}市第{count}中学", "3: {stem}小学", "2: {road}小学",
        "2: {firm}幼儿园", "{stem}大学", "{cityname}师范学院", "{state}职业技术学院",
                                "{stem}实验小学", "{city:short}一中", "{stem}中心小学", "{firm}艺术幼儿园",
                                "{cityname}理工大学")),
    "organization": ("ORGANIZATION", (
        "4: {firm}科技有限公司", "3: {city:short}{firm}商贸有限公司", "2: {firm}电子厂", "2: {stem}纺织厂",
        "2: {firm}建筑工程有限公司", "{city:short}市税务局", "{area}教育局",
        "{stem}派出所", "{firm}物业公司", "{city:short}市公交集团", "{firm}服装厂", "{stem}机械厂",
        "{firm}物流有限公司", "{stem}村委会", "{stem}街道办事处", "{city:short}农商银行",
        "{firm}律师事务所", "{city:short}市第{count}轴承厂", "{firm}房产中介", "{stem}化工厂",
        "{firm}餐饮管理有限公司", "{city:short}供电局", "{stem}煤矿", "{firm}人寿保险公司",
        "{stem}果蔬合作社", "{firm}超市", "{city:short}日报社", "3: {school}", "{stem}林场", "{firm}网络科技公司",
        "{n:31001-96999}部队", "{city:short}市交警大队")),
    "profession": ("PROFESSION", ("{professions}",)),
    "nationality": ("NATIONALITY", ("5: 汉族", "4: {peoples}族")),
    "nationality:bare": ("NATIONALITY", ("5: 汉", "4: {peoples}")),
    "religion": ("NATIONALITY", ("佛教", "基督教", "天主教", "伊斯兰教", "道教")),
    "country": ("COUNTRY", ("日本", "韩国", "泰国", "越南", "缅甸", "美国", "加拿大", "澳大利亚", "新加坡",
        "马来西亚", "英国", "德国", "俄罗斯", "安哥拉", "刚果", "尼日利亚", "迪拜",
                            "柬埔寨", "老挝", "印度尼西亚", "菲律宾", "意大利", "西班牙", "新西兰", "赞比亚",
                            "巴基斯坦")),
}  # fmt: skip
_MADE_TW: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **_MADE_CN,
    "roadname": ("STREET", ("5: {road_tw}路", "3: {road_tw}路{section}段", "2: {road_tw}街",
        "{road_tw}東路{section}段", "{road_tw}北路", "{road_tw}南路{section}段", "{road_tw}二街")),
    "unit": ("ADDRESS", ("3: {n:2-18}樓", "2: {n:2-18}樓之{n:1-9}", "{n:2-9}F-{n:1-6}")),
    "street": ("STREET", ("4: {roadname}{n:1-500}號", "2: {roadname}{n:1-200}巷{n:1-60}號",
        "2: {roadname}{n:1-500}號{unit}", "{roadname}{n:1-200}巷{n:1-30}弄{n:1-40}號{unit}")),
    "address": ("ADDRESS", ("4: {city}{area}{street}", "2: {area}{street}",
        "{city}{area}{stem_tw}里{n:1-30}鄰{street}", "{city}{area}{stem_tw}村{n:1-20}鄰{n:1-90}號",
        "{city}{area}")),
    "estate": ("LOCATION_OTHER", ("{stem_tw}國宅", "{stem_tw}新村", "{firm_tw}社區", "{firm_tw}大廈")),
    "village": ("CITY", ("{stem_tw}里", "2: {towntw}", "{stem_tw}村")),
    "county": ("CITY", ("{area}",)),
    "landmark": ("LOCATION_OTHER", ("{stem_tw}公園", "{stem_tw}夜市", "{stem_tw}市場", "{stem_tw}廟埕",
        "{stem_tw}車站", "{road_tw}路口", "{stem_tw}國小操場", "{stem_tw}老家")),
    "hospital": ("HOSPITAL", (
        "3: {stem_tw}醫院", "3: {firm_tw}綜合醫院", "2: {stem_tw}紀念醫院", "2: 衛生福利部{city:short}醫院",
        "{firm_tw}基督教醫院", "{stem_tw}大學附設醫院", "{city:short}榮民總醫院",
        "{firm_tw}醫療財團法人{stem_tw}醫院", "國軍{city:short}總醫院", "{city}立聯合醫院", "佛教{firm_tw}醫院",
        "{stem_tw}醫學中心", "{city:short}市立{stem_tw}醫院")),
    "hospital:short": ("HOSPITAL", ("台大醫院", "{city:short}榮總", "長庚", "馬偕", "{stem_tw}醫院",
        "部立{city:short}醫院", "奇美", "慈濟", "三總", "{city:short}慈濟")),
    "clinic": ("CARE_FACILITY", ("3: {clan_tw}{firm_tw}診所", "2: {firm_tw}診所", "2: {stem_tw}鄉衛生所",
        "{towntw}衛生所", "{firm_tw}婦產科診所", "{firm_tw}洗腎中心", "{clan_tw}耳鼻喉科診所")),
    "care_home": ("CARE_FACILITY", ("3: {firm_tw}護理之家", "2: {firm_tw}安養中心", "2: {stem_tw}養護中心",
        "{firm_tw}老人長期照顧中心", "{stem_tw}榮民之家", "{firm_tw}日間照護中心")),
    "department": ("DEPARTMENT", ("6: {departments_tw}", "{departments_tw}門診", "{departments_tw}病房")),
    "ward": ("DEPARTMENT", ("3: {n:3-15}A病房", "3: {n:3-15}B病房", "2: {n:50-130}病房", "2: {units_tw}",
        "{departments_tw}病房", "{n:5-15}W")),
    "room": ("ROOM", ("4: {n:3-15}A{n:1-40}", "3: {n:3-15}B-{n:1-40}", "2: {n:501-1250}-{n:1-3}", "{n:1-60}",
        "{n:501-990}A", "急{n:1-30}")),
    "room:bed": ("ROOM", ("4: {n:3-15}A{n:1-40}床", "3: {n:3-15}B-{n:1-40}床", "2: {n:501-1250}-{n:1-3}床",
        "{n:1-60}床", "急{n:1-30}床")),
    "school": ("ORGANIZATION", ("3: {stem_tw}國小", "2: {stem_tw}國中", "2: {stem_tw}高中", "{firm_tw}幼兒園",
        "{stem_tw}大學", "{stem_tw}科技大學", "{city:short}高商")),
    "organization": ("ORGANIZATION", ("3: {firm_tw}股份有限公司", "2: {firm_tw}紡織", "2: {firm_tw}科技公司",
        "{firm_tw}電子", "{stem_tw}派出所", "{stem_tw}里辦公處", "{city}政府社會局",
                                      "{firm_tw}便利商店", "{city:short}區農會", "{firm_tw}人壽",
                                      "{stem_tw}工業區管理處", "2: {school}", "{firm_tw}家事清潔公司",
                                      "{stem_tw}長老教會")),
    "profession": ("PROFESSION", ("{professions_tw}",)),
    "nationality": ("NATIONALITY", ("阿美族", "泰雅族", "排灣族", "布農族", "太魯閣族", "客家", "閩南")),
    "nationality:bare": ("NATIONALITY", ("印尼", "越南", "菲律賓", "泰國", "日本", "緬甸")),
    "religion": ("NATIONALITY", ("佛教", "道教", "基督教", "天主教", "一貫道", "民間信仰")),
    "country": ("COUNTRY", ("日本", "韓國", "泰國", "越南", "美國", "加拿大", "澳洲", "新加坡", "馬來西亞", "英國",
        "德國", "印尼", "菲律賓", "紐西蘭")),
}  # fmt: skip


def places_made(country: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    return mixed(_MADE_CN, MORE_CN) if country == "CN" else mixed(_MADE_TW, MORE_TW)


# What `words_of_places` makes, by name, so that nothing is read before it is needed.
NAMES_OF_LISTS = (
    "count",
    "small",
    "compass",
    "inner",
    "clan",
    "clan_tw",
    "citychar",
    "units",
    "units_tw",
    "section",
    "stem_tw",
    "stem",
    "firm",
    "road",
)


@cache
def words_of_places() -> Mapping[str, tuple[str, ...]]:
    """Small lists for the templates above, and names of places put together from characters."""
    heads, tails, firm_heads, firm_tails = list_file("zh", "place-characters")
    stems = tuple(head + tail for head in heads for tail in tails)
    clan = list_file("zh", "names-cn-family")[:80]
    return {
        "count": tuple("一二三四五六七八九"),
        "small": tuple("一二三四五"),
        "compass": tuple("东西南北"),
        "inner": tuple("内外妇儿骨"),
        "clan": clan,
        "stem": stems,
        "firm": tuple(head + tail for head in firm_heads for tail in firm_tails if head != tail),
        "road": (*list_file("zh", "roads"), *stems[::9]),
        "clan_tw": list_file("zh", "names-tw-family")[:60],
        "citychar": tuple("云临杭苏郑徐合昌洛湘株邵衡常岳永怀宜襄荆黄孝咸潍烟临淄滨德聊泰济莱"),
        "units": (
            "NICU",
            "ICU",
            "MICU",
            "SICU",
            "CCU",
            "PICU",
            "EICU",
            "RICU",
            "重症医学科",
            "产房",
            "待产室",
            "急诊留观室",
            "抢救室",
            "监护室",
        ),
        "units_tw": ("ICU", "MICU", "SICU", "NICU", "加護病房", "產房", "急診", "嬰兒室", "待產室", "燒燙傷中心"),
        "section": tuple("一二三四五"),
        "stem_tw": tuple(
            head + tail for head in "柳雲和松竹福光永安新南龍美仁文東金興" for tail in "濱塘德興安和平豐溪湖華光成榮山"
        ),
    }
